import assert from 'node:assert/strict';
import { everyGroup } from '../../src/catalogue';
import type { OperationGroup } from '../../src/catalogue/operation';
import { renderActionHelp } from '../../src/editor/help';
import { mergeWords, type Words, wordsOf } from '../../src/editor/words';
import { type Promised, promised } from '../contract/promised';
import { read, resources } from './pages';

/** What a person is told of one node's operations, by their titles. */
interface ExpectedSentences {
  /** Not sent again when the answer is lost. */
  readonly once: readonly string[];
  /** Sent once more when the connection is lost before an answer. */
  readonly again: readonly string[];
  /** Sent ahead of all else, because they end something. */
  readonly ends: readonly string[];
  /** Sent ahead of all else but its own end. */
  readonly first: readonly string[];
}

/** Each node's promises, as titles. */
const expectedSentences: Readonly<Record<string, ExpectedSentences>> = Object.fromEntries(
  resources
    .filter((resource) => resource !== 'request' && promisedOf(resource).length > 0)
    .map((resource) => {
      const titles = (is: (one: Promised) => boolean | undefined) =>
        promisedOf(resource)
          .filter(([, one]) => is(one))
          .map(([id]) => operationOf(resource, id).title)
          .sort();
      const once = titles(({ repeatable }) => !repeatable);
      const again = titles(({ repeatable }) => repeatable);
      const first = titles(({ urgent, ends }) => urgent && !ends);
      return [resource, { once, again, ends: titles(({ ends }) => ends), first }];
    }),
);

/** What is promised of each operation of a node. */
function promisedOf(resource: string): [id: string, Promised][] {
  return Object.entries(promised)
    .filter(([name]) => name.startsWith(`${resource}/`))
    .map(([name, one]) => [name.slice(resource.length + 1), one]);
}

function helpOf(resource: string): string {
  return read('dist', 'nodes', 'locales', 'en-US', `${resource}.html`);
}

const neverAgain = /Node-RED never repeats (\*.+?) if the device might have carried out/;
const safeToRepeat = /It is safe to repeat (.+?)\. If the connection/;

/** The promised ones of the titles that a sentence of a help lists. */
function listedIn(resource: string, sentence: RegExp, help: string): string[] {
  const titles = promisedOf(resource).map(([id]) => operationOf(resource, id).title);
  const listed = sentence.exec(help)?.[1]?.match(/\*[^*]+\*/g) ?? [];
  const distinct = new Set(listed.map((title) => title.slice(1, -1)));
  return [...distinct].filter((title) => titles.includes(title)).sort();
}

function titlesBehind(words: string, help: string): string[] {
  const start = help.indexOf(words);
  if (start < 0) return [];
  const [list = ''] = help.slice(start + words.length).split(/\*\. |\*\.\n/, 1);
  return `${list}*`.match(/\*[^*]+\*/g)?.map((title) => title.slice(1, -1)) ?? [];
}

/** The help as a person wrote it: without what is put in the place of the braces. */
function writtenIn(resource: string): string {
  const page = read('nodes', `${resource}.html`);
  const [help = ''] = page.slice(page.indexOf('data-help-name')).split('### References');
  return help.replaceAll('\n', ' ');
}

describe('what the help says about safety', () => {
  it('is compared for every node that is promised', () => {
    assert.ok(Object.keys(expectedSentences).length >= 14);
    assert.deepEqual(expectedSentences.emergency, {
      once: [],
      again: ['Start a device alert', 'Stop the device alert'],
      ends: ['Stop the device alert'],
      first: ['Start a device alert'],
    });
  });

  for (const [resource, { once, again, ends, first }] of Object.entries(expectedSentences)) {
    it(`is so for algo-${resource}`, () => {
      const help = helpOf(resource);
      assert.deepEqual(listedIn(resource, neverAgain, help), once);
      assert.deepEqual(listedIn(resource, safeToRepeat, help), again);
      assert.deepEqual(
        listedIn(resource, /, and a stop is (.+?)\. .+\n\n- A stop cancels earlier starts/, help),
        ends,
      );
      assert.deepEqual(listedIn(resource, /Node-RED also puts (.+?) at the front of the/, help), first);
      if (once.length > 0)
        assert.ok(help.includes('If the answer is lost or late, the outcome is therefore `unknown`.'));
    });
  }

  it('is that of the method where a person chooses it', () => {
    assert.match(
      helpOf('request'),
      /GET is safe to repeat\.[\s\S]+Node-RED never repeats a request with another method if the device might/,
    );
  });

  it('says of what is made of others that a lost answer is found out', () => {
    const help = helpOf('scheduler');
    const made = titlesBehind('the outcome of these operations even if the answer is lost: ', help);
    assert.equal(made.length, 7);
    assert.ok(made.includes('Sync bells'));
    assert.equal(neverAgain.exec(help)?.[1], '*Apply changes*');
  });

  it('names what can be confirmed, and only that', () => {
    const confirmed = /With \*\*Confirm write\*\*, the outcome of (.+?) is `confirmed`/;
    const found = Object.keys(expectedSentences).map((resource) => [
      resource,
      confirmed.exec(helpOf(resource))?.[1],
    ]);
    assert.deepEqual(
      found.filter(([, titles]) => titles),
      [
        ['audio', '*Report ambient noise*'],
        ['files', '*Store a file*'],
        [
          'scheduler',
          '*Skip days*, *Restore skipped days*, *Exclude days*, *Restore excluded days*, *Ring once*, *Sync bells*, and *Import a calendar*',
        ],
        ['settings', '*Write settings*'],
      ],
    );
    const never = resources.filter((resource) => helpOf(resource).includes('never `confirmed`'));
    assert.deepEqual(never.filter((resource) => resource in expectedSentences).sort(), [
      'call',
      'console',
      'door',
      'emergency',
      'relay',
      'screen',
      'strobe',
      'tone',
    ]);
    assert.match(helpOf('files'), /With \*\*Skip unchanged\*\*, .+ is `confirmed` too/);
  });

  it('says that the payload stays as it was where no answer becomes it, and only there', () => {
    for (const { resource, operations } of everyGroup) {
      const stays = operations.every(({ answer }) => answer === 'none');
      assert.equal(/^: payload \(any\) : passed through unchanged/m.test(helpOf(resource)), stays, resource);
    }
  });

  it('names what needs a word of consent', () => {
    assert.match(helpOf('settings'), /\*Restore factory defaults\* needs `confirm` to be true, so that/);
    assert.match(helpOf('console'), /\*Stop events\* cancels earlier starts only with `type` `all`/);
  });

  it('names the firmware of the catalogue', () => {
    const firmware: [string, RegExp][] = [
      ['relay', /needs firmware\n5\.6; the other operations need 5\.0\./],
      ['tone', /\*Upload and play\* needs firmware 5\.7\./],
      ['call', /\(firmware 5\.7\)/],
      ['strobe', /From firmware 5\.7 on, `duration`/],
      ['files', /firmware 5\.5, checksums 5\.7\./],
    ];
    for (const [resource, words] of firmware) assert.match(helpOf(resource), words, resource);
    const skipUnchanged = read('locales', 'en-US', 'shared.json').match(/Requires firmware (\d\.\d)\./)?.[1];
    assert.equal(skipUnchanged, operationOf('files', 'md5sum').firmware);
  });

  it('follows the catalogue when that changes', () => {
    const relay = group('relay');
    const operations = relay.operations.map((operation) => ({
      ...operation,
      repeatable: !operation.repeatable,
      firmware: '9.1' as const,
    }));
    const { words } = wordsOf(relay);
    const shared: Words = JSON.parse(read('locales', 'en-US', 'shared.json'));
    const sentences: Words = JSON.parse(read('locales', 'en-US', 'help.json'));
    const help = renderActionHelp({ ...relay, operations }, 'en-US', sentences, mergeWords(shared, words));
    assert.deepEqual(listedIn('relay', neverAgain, `${help.repetition}`), expectedSentences.relay?.again);
    assert.deepEqual(listedIn('relay', safeToRepeat, `${help.repetition}`), expectedSentences.relay?.once);
    assert.equal(help['since.menable'], '9.1');
  });
});

describe('what is written by hand in the help', () => {
  /** What a sentence about sending again, waiting or outcomes cannot do without. */
  const claims =
    /\b(?:repeat\w*|re-?sen[dt]\w*|retr(?:y|ies|ied)\w*|twice|sen[dt]s? (?:it )?again|tr(?:y|ies) again|once more|second time|never waits?|not wait|waits? behind|lost answer|answer(?: to [\w ]+)? is lost|superseded|confirmed)\b/gi;
  /** These say something else: what a device does by itself, or that a person names a thing twice. */
  const allowed = [
    'The device repeats the tone, with pauses of `interval`,',
    'the action button pressed twice',
    'use `msg.changes` and not the payload, which repeats.',
    'Node-RED retries the stop until   the device accepts it.',
    'Node-RED retries the actions that a device has not started,',
    'The pauses between the retries grow to 30 seconds.',
    'The pauses between the retries grow to 30 seconds.',
    'The retries continue after a restart of   Node-RED.',
    'The retries continue after a restart of Node-RED.',
    'they end after a day of failed retries',
    'the device at which a retry has started an action',
    'a retry has started an action.',
    'action, without retries',
    '**Retry.** While',
    'These actions are not retried:',
    'To include relays, set **Retry** to',
    'actions that might have been carried out and are not safe to repeat',
    'Node-RED only continues the retries.',
    'Jobs that are not safe to repeat are carried out at most once.',
  ];

  for (const resource of resources) {
    it(`makes no claim of its own for algo-${resource}`, () => {
      let text = writtenIn(resource);
      for (const words of allowed) text = text.replace(words, '');
      assert.deepEqual(
        [...text.matchAll(claims)].map(([words]) => words),
        [],
      );
      const firmware = [...text.matchAll(/[^.]*\b[3-9]\.\d+\b[^.]*/g)].map(([sentence]) => sentence.trim());
      // The interface document says so of all the templates at once; no entry of the catalogue does.
      const exceptions = firmware.filter(
        (sentence) => !sentence.startsWith('All the templates are available'),
      );
      assert.deepEqual(exceptions, []);
    });
  }

  it('does not stand in two pages', () => {
    const seen = new Map<string, string[]>();
    for (const resource of resources) {
      const page = read('nodes', `${resource}.html`);
      const help = page.slice(page.indexOf('data-help-name'));
      for (const paragraph of help.split(/\n\n+/)) {
        if (/^(?:###|\{\{|- \[)/.test(paragraph) || paragraph.length < 60) continue;
        seen.set(paragraph, [...(seen.get(paragraph) ?? []), resource]);
      }
    }
    assert.ok(seen.size > 60);
    const doubled = [...seen].filter(([, pages]) => pages.length > 1);
    assert.deepEqual(doubled, []);
  });
});

function group(resource: string): OperationGroup {
  return everyGroup.find((one) => one.resource === resource) ?? assert.fail(resource);
}

function operationOf(resource: string, id: string) {
  return group(resource).operations.find((one) => one.id === id) ?? assert.fail(id);
}
