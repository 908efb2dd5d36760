import assert from 'node:assert/strict';
import { everyGroup } from '../../src/catalogue';
import type { OperationGroup } from '../../src/catalogue/operation';
import { renderActionHelp } from '../../src/editor/help';
import { mergeWords, type Words, wordsOf } from '../../src/editor/words';
import { nouns, read } from './pages';

/** What a person is told of each node's operations, by their titles, typed by hand. */
interface Told {
  /** Not sent again when the answer is lost. */
  readonly once?: readonly string[];
  /** Sent once more when the connection is lost before an answer. */
  readonly again?: readonly string[];
  /** Sent ahead of all else, because they end something. */
  readonly ends?: readonly string[];
}

const told: Readonly<Record<string, Told>> = {
  door: {
    once: ['Unlock for a while'],
    again: ['Lock', 'Unlock until locked again'],
    ends: ['Lock'],
  },
  tone: {
    once: ['Play a tone', 'Play a sound', 'Test once', 'Test until stopped'],
    again: ['Stop the tone', 'Stop the test'],
    ends: ['Stop the tone', 'Stop the test'],
  },
  strobe: { again: ['Flash', 'Stop the strobe'], ends: ['Stop the strobe'] },
  screen: {
    again: ['Show', 'Show the default', 'Show a text', 'Remove the text'],
    ends: ['Show the default', 'Remove the text'],
  },
  call: {
    once: ['Call and play a tone', 'Open a page'],
    again: ['End the call'],
    ends: ['End the call'],
  },
  relay: {
    once: ['Switch the relay on for a while', 'Switch 24 V on', 'Switch 24 V off'],
    again: ['Switch the relay on', 'Switch the relay off'],
    ends: ['Switch the relay off', 'Switch 24 V off'],
  },
  console: { once: ['Press a button'], again: ['Stop events', 'Active events'], ends: ['Stop events'] },
  emergency: { again: ['Start an alert', 'Stop the alert'], ends: ['Stop the alert'] },
  scheduler: { once: ['Change'], again: ['Read everything', 'Read some days'] },
  settings: { once: ['Restore factory defaults'], again: ['Read a setting', 'Write settings'] },
  files: {
    once: ['Download', 'Delete a file'],
    again: ['List a folder', 'Get a file', 'Store a file', 'Checksum'],
  },
  audio: {
    again: ['Listen to a stream', 'Stop listening', 'Set the noise level', 'Set the multicast'],
    ends: ['Stop listening'],
  },
  system: { once: ['Reboot', 'Reload', 'Check for firmware', 'Upgrade firmware'] },
  info: {
    again: [
      ...['Identity', 'Status', 'Tones', 'Relay input', 'First relay input', 'Second relay input'],
      'Noise level',
    ],
  },
};

function helpOf(noun: string): string {
  return read('dist', 'nodes', 'locales', 'en-US', `${noun}.html`);
}

/** The titles that a help lists behind some words, up to the end of the sentence. */
function listedBehind(words: string, help: string): string[] {
  const start = help.indexOf(words);
  if (start < 0) return [];
  const [list = ''] = help.slice(start + words.length).split(/\*\. |\*\.\n/, 1);
  return `${list}*`.match(/\*[^*]+\*/g)?.map((title) => title.slice(1, -1)) ?? [];
}

/** The help as a person wrote it: without what is put in the place of the braces. */
function writtenIn(noun: string): string {
  const page = read('nodes', `${noun}.html`);
  const [help = ''] = page.slice(page.indexOf('data-help-name')).split('### References');
  return help.replaceAll('\n', ' ');
}

describe('what the help says about safety', () => {
  it('has something to say about every node', () => {
    const groups = everyGroup.map(({ noun }) => noun).filter((noun) => noun !== 'request');
    assert.deepEqual(Object.keys(told).sort(), groups.sort());
  });

  for (const [noun, { once = [], again = [], ends = [] }] of Object.entries(told)) {
    it(`is so for algo-${noun}`, () => {
      const help = helpOf(noun);
      assert.deepEqual(listedBehind('Not sent again then: ', help), once);
      assert.deepEqual(listedBehind('Safe to repeat: ', help), again);
      assert.deepEqual(listedBehind('Sent ahead of all else that waits for the device: ', help), ends);
      assert.equal(help.includes('the receipt says `unknown`, since it may have been done'), once.length > 0);
      const urgent = noun === 'emergency' ? ['Start an alert'] : [];
      assert.deepEqual(listedBehind('Sent ahead of all else but its own end: ', help), urgent);
    });
  }

  it('is that of the method where a person chooses it', () => {
    assert.match(helpOf('request'), /GET is safe to repeat.+Nothing else is sent again/);
  });

  it('names what can be confirmed, and only that', () => {
    const confirmed = /With Read back, the receipt of (.+) says `confirmed`/;
    const found = Object.keys(told).map((noun) => [noun, confirmed.exec(helpOf(noun))?.[1]]);
    assert.deepEqual(
      found.filter(([, titles]) => titles),
      [
        ['settings', '*Write settings*'],
        ['files', '*Store a file*'],
        ['audio', '*Set the noise level*'],
      ],
    );
    const never = nouns.filter((noun) => helpOf(noun).includes('never `confirmed`'));
    assert.deepEqual(never.sort(), [
      'call',
      'console',
      'door',
      'emergency',
      'relay',
      'screen',
      'strobe',
      'tone',
    ]);
    assert.match(helpOf('files'), /With Skip if the same, .+ is `confirmed` too/);
  });

  it('says that the payload stays as it was where no answer becomes it, and only there', () => {
    for (const { noun, operations } of everyGroup) {
      const stays = operations.every(({ answer }) => answer === 'none');
      assert.equal(/^: payload \(any\) : stays as it was/m.test(helpOf(noun)), stays, noun);
    }
  });

  it('names what needs a word of consent', () => {
    assert.match(helpOf('settings'), /\*Restore factory defaults\* needs `confirm` to be true, so that/);
    assert.match(helpOf('console'), /Only with `type` `all` does it end/);
  });

  it('names the firmware of the catalogue', () => {
    const firmware: [string, RegExp][] = [
      ['relay', /needs firmware\n5\.6; the rest needs 5\.0\./],
      ['tone', /It needs firmware 5\.7\./],
      ['call', /\(firmware 5\.7\)/],
      ['strobe', /From firmware 5\.7 on `duration`/],
      ['files', /firmware 5\.5, checksums 5\.7\./],
    ];
    for (const [noun, words] of firmware) assert.match(helpOf(noun), words, noun);
    const skipSame = read('locales', 'en-US', 'shared.json').match(/Needs firmware (\d\.\d)\./)?.[1];
    assert.equal(skipSame, operationOf('files', 'md5sum').firmware);
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
    assert.deepEqual(listedBehind('Not sent again then: ', `${help.repetition}\n`), told.relay?.again);
    assert.deepEqual(listedBehind('Safe to repeat: ', `${help.repetition}\n`), told.relay?.once);
    assert.equal(help['since.menable'], '9.1');
  });
});

describe('what is written by hand in the help', () => {
  /** What a sentence about sending again, waiting or outcomes cannot do without. */
  const claims =
    /\b(?:repeat\w*|re-?sen[dt]\w*|retr(?:y|ies|ied)\w*|twice|sen[dt]s? (?:it )?again|tr(?:y|ies) again|once more|second time|never waits?|not wait|waits? behind|lost answer|answer(?: to [\w ]+)? is lost|superseded|confirmed)\b/gi;
  /** These say something else: what a device does by itself, or that a person names a thing twice. */
  const allowed = [
    'It is repeated with pauses of `interval` until somebody hangs up or `maxdur` is over.',
    'the action button pressed twice,',
    'not on the payload, which repeats.',
  ];

  for (const noun of nouns) {
    it(`makes no claim of its own for algo-${noun}`, () => {
      let text = writtenIn(noun);
      for (const words of allowed) text = text.replace(words, '');
      assert.deepEqual(
        [...text.matchAll(claims)].map(([words]) => words),
        [],
      );
      const firmware = [...text.matchAll(/[^.]*\b[3-9]\.\d+\b[^.]*/g)].map(([sentence]) => sentence.trim());
      // The interface document says so of all the templates at once; no entry of the catalogue does.
      const exceptions = firmware.filter((sentence) => !sentence.startsWith('All the templates are there'));
      assert.deepEqual(exceptions, []);
    });
  }

  it('does not stand in two pages', () => {
    const seen = new Map<string, string[]>();
    for (const noun of nouns) {
      const page = read('nodes', `${noun}.html`);
      const help = page.slice(page.indexOf('data-help-name'));
      for (const paragraph of help.split(/\n\n+/)) {
        if (/^(?:###|\{\{|- \[)/.test(paragraph) || paragraph.length < 60) continue;
        seen.set(paragraph, [...(seen.get(paragraph) ?? []), noun]);
      }
    }
    assert.ok(seen.size > 60);
    const doubled = [...seen].filter(([, pages]) => pages.length > 1);
    assert.deepEqual(doubled, []);
  });
});

function group(noun: string): OperationGroup {
  return everyGroup.find((one) => one.noun === noun) ?? assert.fail(noun);
}

function operationOf(noun: string, id: string) {
  return group(noun).operations.find((one) => one.id === id) ?? assert.fail(id);
}
