import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { everyGroup } from '../../src/catalogue';
import { formOf } from '../../src/editor/field';
import { renderForm } from '../../src/editor/form';
import { fill } from '../../src/editor/html';
import { renderProperties } from '../../src/editor/properties';
import { mergeWords, type Words, wordsOf } from '../../src/editor/words';
import { read, resources } from './pages';

const root = path.resolve(__dirname, '../../..');
const { repository }: { repository: { url: string } } = JSON.parse(read('package.json'));
/** The address of a page of the documents. */
const docs = `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/main/docs/`;

function helpOf(resource: string): string {
  return read('dist', 'nodes', 'locales', 'en-US', `${resource}.html`);
}

describe('the help', () => {
  for (const resource of resources) {
    it(`of algo-${resource} begins with a sentence for the palette and goes on in the usual sections`, () => {
      const help = helpOf(resource);
      const [, body = ''] =
        /^<script type="text\/markdown" data-help-name="algo-[a-z-]+">\n([\s\S]+)<\/script>\s*$/.exec(help) ??
        [];
      const [introduction = ''] = body.split('\n\n');
      assert.match(introduction, /^[A-Z][^\n]{20,200}\.$/);
      const sections = [...body.matchAll(/^### (.+)$/gm)].map(([, name]) => name);
      const hasInput = !['device', 'virtual-device', 'group'].includes(resource);
      assert.deepEqual(
        sections,
        ['receipts', 'site', 'webhook'].includes(resource)
          ? ['Outputs', 'Details', 'References']
          : hasInput
            ? ['Inputs', 'Outputs', 'Details', 'References']
            : ['Details', 'References'],
      );
      assert.doesNotMatch(help, /\{\{\w/);
    });
  }

  for (const language of readdirSync(path.join(root, 'locales'))) {
    it(`in ${language} links to the page of the node and of the package`, () => {
      const pages = resources.map((resource) => `dist/nodes/locales/${language}/${resource}.html`);
      const own = resources.filter((_, index) => existsSync(path.join(root, pages[index] ?? '')));
      assert.ok(own.length > 20);
      for (const resource of own) {
        const [, references = ''] =
          /.*^### .+?\n\n(.*)<\/script>/ms.exec(
            read('dist', 'nodes', 'locales', language, `${resource}.html`),
          ) ?? [];
        const links = [...references.matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm)].map(([, link = '']) => link);
        assert.deepEqual(
          links.slice(-2),
          [`${docs}nodes/algo-${resource}.md`, `${docs.split('/blob')[0]}#readme`],
          resource,
        );
        assert.ok(existsSync(path.join(root, 'docs', 'nodes', `algo-${resource}.md`)), resource);
      }
    });
  }

  it('names every operation and every field', () => {
    let seen = 0;
    for (const { resource, operations } of everyGroup) {
      const help = helpOf(resource);
      for (const operation of operations) {
        const [, section = ''] = help.split(`(\`${operation.id}\`)`);
        for (const { name } of formOf(operation).rows) {
          assert.match(section.split(/^#### /m)[0] ?? '', new RegExp(`^: \\*?${name}\\*? \\(`, 'm'));
          seen += 1;
        }
      }
    }
    assert.ok(seen >= 16);
  });

  it('has two colons in every line of a property list, for that is what Node-RED reads', () => {
    const lines = resources.flatMap((resource) => helpOf(resource).match(/^:.*$/gm) ?? []);
    assert.ok(lines.length > 16);
    for (const line of lines) assert.match(line, /^: [^:]+ \([^:)]+\) : [^:]+$/);
  });

  const limitsOfAnnouncements = {
    'en-US': [/cannot see the bells/, /does not confirm the end/],
    de: [/Gongs, die .* kann Node-RED nicht sehen/, /bestätigt das Ende nicht/],
    fr: [/ne voit pas les sonneries/, /ne confirme pas la fin/],
    es: [/no ve los timbres/, /no confirma el final/],
  };
  for (const [language, limits] of Object.entries(limitsOfAnnouncements)) {
    it(`of algo-announce names what Node-RED does not know, and the way to zones in step (${language})`, () => {
      const help = read('dist', 'nodes', 'locales', language, 'announce.html').replace(/\s+/g, ' ');
      for (const limit of [...limits, /multicast/i, /`\{"mcast":true\}`/]) assert.match(help, limit);
    });
  }
});

describe('what a catalogue could do to a page', () => {
  const hostile = {
    resource: 'test',
    operations: [
      {
        id: 'start',
        title: 'A <b>title</b>',
        description: 'Colons: and <img src=x> and *stars*',
        section: '4',
        route: 'POST /api/test',
        firmware: '5.4',
        products: 'all',
        repeatable: false,
        urgent: false,
        answer: 'none',
        fields: {
          mode: {
            type: 'string',
            title: 'Mode',
            description: 'See: <script>',
            enum: ['"></script><script>'],
          },
        },
        required: [],
      },
    ],
  } as const;
  const { words, keyOf } = wordsOf(hostile);

  it('does not end an attribute or an element of the dialog', () => {
    const form = renderForm(hostile, keyOf);
    assert.equal(form.match(/<\/?script/g)?.length, 2);
    assert.doesNotMatch(form, /<b>|<img/);
  });

  it('does not put elements or colons into the help', () => {
    const shared: Words = JSON.parse(read('locales', 'en-US', 'shared.json'));
    const help = renderProperties(hostile, mergeWords(shared, words), keyOf);
    assert.doesNotMatch(help, /</);
    assert.match(help, /^: \*mode\* \(string\) : [^:]+$/m);
    assert.ok(help.includes('Colons&#58; and &lt;img src=x&gt; and \\*stars\\*'));
  });

  it('is not lost to a misspelt placeholder', () => {
    assert.equal(fill('a {{b}} c', { b: '$& 1' }), 'a $& 1 c');
    assert.throws(() => fill('{{fomr}}', { form: '' }), /fomr/);
  });
});
