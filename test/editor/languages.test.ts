import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { acceptTranslation, gapsOf } from '../../src/editor/translation';
import { read, resources, textsIn } from './pages';

const root = path.resolve(__dirname, '..', '..', '..');

/** How many texts and pages a whole language has at least; fewer would mean that something is not looked at. */
const minCounts = { texts: 1200, pages: 29 };

describe('the languages of the editor', () => {
  let languages: string[];

  before(async () => {
    languages = (await readdir(path.join(root, 'locales'))).filter((language) => language !== 'en-US');
  });

  it('are whole: no key missing or stale, and the same placeholders, properties and pages as in English', () => {
    assert.ok(languages.includes('de'));
    const gaps = languages.flatMap((language) => gapsOf(root, language).sentences);
    // All of them, however many: a list that is compared is cut when it is shown.
    assert.equal(gaps.length, 0, gaps.join('\n'));
  });

  it('are named as Node-RED names its own, or without the country: what is set there finds no other name', async () => {
    const known = await readdir(path.join(root, 'node_modules/@node-red/editor-client/locales'));
    assert.ok(known.includes('de') && !known.includes('de-DE'));
    assert.deepEqual(
      languages.filter(
        (language) => !known.some((one) => one === language || one.startsWith(`${language}-`)),
      ),
      [],
    );
  });

  it('reach the build: every text of the dialogs is there, and no page is left in English', () => {
    for (const language of languages) {
      for (const resource of [...resources, 'algo-forms']) {
        const english = textsIn('dist/nodes/locales/en-US', `${resource}.json`);
        const own = textsIn('dist/nodes/locales', language, `${resource}.json`);
        // The English of a value is the value.
        const keys = [...own.keys()].filter((key) => !key.startsWith('value.'));
        assert.deepEqual(keys.sort(), [...english.keys()].sort(), `${language}/${resource}.json`);
        if (resource === 'algo-forms') continue;
        const [page, source] = [language, 'en-US'].map((one) =>
          read('dist/nodes/locales', one, `${resource}.html`),
        );
        assert.doesNotMatch(page ?? '', /\{\{\w/);
        const paragraphs = (source ?? '').split('\n\n').filter((text) => /^\*{0,2}\w[^\n]{30}/.test(text));
        assert.ok(paragraphs.length > 1);
        for (const paragraph of paragraphs) {
          assert.ok(!page?.includes(paragraph), `${language}/${resource}.html: ${paragraph}`);
        }
      }
    }
  });

  it('have two colons in every line of a property list, for that is what Node-RED reads', () => {
    for (const language of languages) {
      for (const resource of resources) {
        const lines = read('dist/nodes/locales', language, `${resource}.html`).match(/^:.*$/gm) ?? [];
        for (const line of lines)
          assert.match(line, /^: [^:]+ \([^:)]+\) : [^:]+$/, `${language}/${resource}`);
      }
    }
  });

  it('begin the help with one sentence, which the palette shows', () => {
    for (const language of languages) {
      for (const resource of resources) {
        const [, introduction = ''] = /^<script[^>]+>\n([^\n]+)\n\n/.exec(
          read('dist/nodes/locales', language, `${resource}.html`),
        ) ?? [''];
        assert.match(introduction, /^\p{Lu}.{20,220}\.$/u, `${language}/${resource}`);
      }
    }
  });

  it('name a row of a dialog in at most 20 characters, which fit into one line', () => {
    const tooLong = new Set<string>();
    let seen = 0;
    for (const language of ['en-US', ...languages])
      for (const resource of resources)
        for (const [key, text] of textsIn('dist/nodes/locales', language, `${resource}.json`)) {
          if (!key.startsWith('label.')) continue;
          if (text.length > 20) tooLong.add(`${language} ${resource} ${key}: ${text}`);
          seen += 1;
        }
    assert.ok(seen > 200, `${seen}`);
    assert.deepEqual([...tooLong], []);
  });

  it('say a status in at most 20 characters, which fit under a node', () => {
    const values: Readonly<Record<string, string>> = {
      operation: 'upload-play',
      field: 'audio.page.v…',
      missed: '10/10',
    };
    const tooLong = new Set<string>();
    let seen = 0;
    for (const language of ['en-US', ...languages]) {
      for (const resource of resources) {
        for (const [key, text] of textsIn('dist/nodes/locales', language, `${resource}.json`)) {
          if (!/^(?:status|state|offline)\./.test(key)) continue;
          const shown = text.replace(/__(\w+)__/g, (_, name: string) => values[name] ?? '500');
          if (shown.length > 20) tooLong.add(`${language} ${key}: ${shown}`);
          seen += 1;
        }
      }
    }
    for (const language of ['en-US', ...languages]) {
      const texts = textsIn('dist/nodes/locales', language, 'site.json');
      for (const key of ['active', 'standby']) {
        const shown = `${texts.get(`status.${key}`)}, ${texts.get('status.unsigned')}`;
        if (shown.length > 20) tooLong.add(`${language} site ${key}: ${shown}`);
      }
    }
    assert.ok(seen > 1000, `${seen}`);
    assert.deepEqual([...tooLong], []);
  });
});

describe('what a language lacks', () => {
  let copy: string;

  beforeEach(async () => {
    copy = await mkdtemp(path.join(tmpdir(), 'algo-language-'));
    for (const part of ['nodes', 'locales']) {
      await cp(path.join(root, part), path.join(copy, part), { recursive: true });
    }
  });

  afterEach(() => rm(copy, { recursive: true, force: true }));

  async function change(language: string, file: string, from: string, to: string): Promise<void> {
    const place = path.join(copy, 'locales', language, file);
    const text = await readFile(place, 'utf8');
    assert.ok(text.includes(from), `${file} has no ${from}`);
    await writeFile(place, text.replace(from, to));
  }

  it('is named all at once', async () => {
    await change('de', 'shared.json', '"group": "Gruppe",', '');
    await change('de', 'door.json', '"resource": "Tür",', '"resource": "Tür", "knob": "Knauf",');
    await change('de', 'device.json', '__time__', '__zeit__');
    await change('de', 'phrases.json', '"__place__ ist erforderlich; ', '"Erforderlich ist __place__; ');
    await change('de', 'help.json', '`confirmed`', 'bestätigt');
    await change('de', 'info.html', ': payload (object) :', ': nutzlast (object) :');
    await change('de', 'relay.html', '{{since.menable}}', '5.6');
    await change('de', 'tone.html', '### Details', 'Details');
    await rm(path.join(copy, 'locales', 'de', 'call.html'));
    await writeFile(path.join(copy, 'locales', 'de', 'doors.json'), '{}');
    assert.deepEqual([...gapsOf(copy, 'de').sentences].sort(), [
      'de/call.html: the help page is missing',
      'de/device.json: test.clockAhead has __zeit__, which the English has not',
      'de/device.json: test.clockAhead lacks __time__',
      'de/door.json: knob is stale: the English has no such key',
      'de/doors.json: no such file is read',
      'de/help.json: outcome.accepted lacks `confirmed`',
      'de/info.html: has : nutzlast (object) :, which the English has not',
      'de/info.html: lacks : payload (object) :',
      'de/phrases.json: missing must begin with __place__: a table takes it off',
      'de/relay.html: lacks {{since.menable}}',
      'de/shared.json: form.group is missing',
      'de/tone.html: has 3 sections with ###, which the English has not',
      'de/tone.html: lacks 4 sections with ###',
    ]);
  });

  it('includes a text whose English has changed, until its translation is recorded again', async () => {
    await change('en-US', 'shared.json', '"retryForHelp": "', '"retryForHelp": "Never. ');
    await change('../nodes', 'alert.html', 'an alert', 'no alert');
    const stale = (place: string) => `${place} is stale: the English has changed since it was translated`;
    const both = ['fr/shared.json: delivery.retryForHelp', 'fr/alert.html: page'].map(stale);
    assert.deepEqual(gapsOf(copy, 'fr').sentences, both);
    acceptTranslation(copy, 'fr', 'shared.json', ['delivery.retryForHelp']);
    assert.deepEqual(gapsOf(copy, 'fr').sentences, both.slice(1));
    acceptTranslation(copy, 'fr', 'alert.html', []);
    assert.deepEqual(gapsOf(copy, 'fr').sentences, []);
    assert.equal(gapsOf(copy, 'de').sentences.length, 2);
    assert.throws(
      () => acceptTranslation(copy, 'fr', 'shared.json', ['delivery.retry']),
      /has no delivery.retry/,
    );
  });

  it('is what the catalogue, the phrases and the pages have, not only the files of en-US', async () => {
    const { missing, sentences } = gapsOf(copy, 'eo');
    const texts = sentences.filter(
      (one) => one.endsWith(' is missing') && !one.endsWith('the help page is missing'),
    );
    assert.ok(texts.length > minCounts.texts, String(texts.length));
    assert.equal(sentences.length - texts.length, minCounts.pages);
    assert.ok(sentences.includes('eo/door.json: operation.munlock.title is missing'));
    assert.ok(sentences.includes('eo/phrases.json: oneOf is missing'));
    assert.deepEqual(missing['console-events.json'], { resource: 'console events' });
  });

  it('is a form for each number that the language tells apart, where English has two', async () => {
    const forms = '"target_one": "__count__ target", "target_other": "__count__ targets",';
    await change('en-US', 'alert.json', '"resource": "alert",', `"resource": "alert", ${forms}`);
    const german = '"target_one": "__count__ Ziel", "target_few": "__count__ Ziele",';
    await change('de', 'alert.json', '"resource": "Alarm",', `"resource": "Alarm", ${german}`);
    assert.deepEqual(gapsOf(copy, 'de').sentences, [
      'de/alert.json: target_other is missing',
      'de/alert.json: target_one is not recorded: accept it when it fits the English (scripts/missing-words.mjs)',
      'de/alert.json: target_few is stale: the English has no such key',
    ]);
    const french = gapsOf(copy, 'fr').sentences.filter((one) => one.includes('alert.json: target_'));
    assert.deepEqual(french.map((one) => one.split(' ')[1]).sort(), [
      'target_many',
      'target_one',
      'target_other',
    ]);
  });
});
