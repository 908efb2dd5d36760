import assert from 'node:assert/strict';
import { coerceParameters } from '../src/catalogue/coerce';
import { formats, isAcceptable, normalized } from '../src/catalogue/formats';
import type { Format } from '../src/catalogue/operation';
import { ownWords, readBody } from '../src/client/response';
import { maxUrlLength, parseAddress } from '../src/client/settings';
import { compareFirmware, firmwareIn, identityIn, modelIn } from '../src/runtime/device/identity';
import { consoleEventsSource } from '../src/runtime/watch/console-events';
import { RelayInput, stateIn } from '../src/runtime/watch/relay-input';
import { changesBetween } from '../src/runtime/watch/status-fields';
import { parseStatus } from '../src/runtime/watch/status-parsed';
import { fasterThanLinear } from './fixtures/faster-than-linear';

type Make = (length: number) => string;

/** A text that is filled up to its length. */
function filled(before: string, filling: string, after = ''): Make {
  return (length) => before + filling.repeat(Math.ceil(length / filling.length)) + after;
}

function assertLinear<T>(make: (length: number) => T, work: (made: T) => unknown): void {
  assert.equal(fasterThanLinear(make, work), undefined);
}

describe('long texts take time in proportion to their length', () => {
  const pages: Record<string, Make> = {
    'tags that do not end': filled('<a', '<'),
    'words that do not end': filled('<a ', 'x'),
    'scripts that do not end': filled('', '<script>'),
    'ends without a beginning': filled('<p>', '</script '),
    'titles that do not end': filled('', '<title '),
    'scripts among styles': filled('', '<script></style>', '</script>'),
    'nothing but blanks': filled('<p>', ' ', '!'),
    'entities in entities': filled('<p>', '&amp;amp;'),
  };
  for (const [what, make] of Object.entries(pages)) {
    it(`the page of a refusal: ${what}`, () => assertLinear(make, ownWords));
    it(`the page of a success: ${what}`, () =>
      assertLinear(
        (length) => ({ headers: {}, body: Buffer.from(make(length)) }),
        (answer) => assert.throws(() => readBody(answer, 'json')),
      ));
  }

  const fields: [field: string, make: Make][] = [
    ['Temperature', filled('41', ' ', '!')],
    ['Temperature', filled('', '4')],
    ['Multicast Mode', filled('Receiver', ' ', '!')],
    ['Multicast Mode', filled('', 'zone ')],
    ['Next Scheduled Event', filled('x', ' ', '!')],
    ['Next Scheduled Event', filled('x', ',2026-11-23')],
    ['Volume', filled('', '1111 ')],
    ['SIP Registration', filled('', 'Main, No Account;')],
    ['Panic Button Status', filled('', 'Gym, Wall, Idle;')],
    ['Call Status', filled('Idle', ' ', '!')],
  ];
  for (const [field, make] of fields) {
    const record = (length: number) => ({ [field]: make(length) });
    it(`${field} of ${JSON.stringify(make(30))}`, () => {
      assertLinear(record, parseStatus);
      const choice = { watched: [], ignored: [], counters: false };
      assertLinear(record, (after) => changesBetween({ [field]: '' }, after, choice));
    });
  }

  const states: Make[] = [
    filled('active', ' ', '!'),
    filled('active (x)', ' ', '!'),
    filled('', ' ', '!'),
    filled('idle', '(', ')'),
    filled('disabled', ':'),
  ];
  for (const make of states) {
    it(`a relay input that is ${JSON.stringify(make(20))}`, () => {
      assertLinear(make, stateIn);
      assertLinear(
        (length) => ({ body: { 'input.relay.status': [make(length)] }, at: 0, monotonic: 0 }),
        (reading) =>
          new RelayInput({ input: 'relay', edge: 'both', debounceMs: 0, initial: true }).report(
            reading,
            true,
          ),
      );
    });
  }

  const names: Make[] = [filled('', '5'), filled('5.', '7'), filled('', '5.7.'), filled('', '8')];
  for (const make of names) {
    it(`a firmware or a model of ${make(12)}`, () => {
      assertLinear(make, firmwareIn);
      assertLinear(make, modelIn);
      const about = (length: number) => ({ 'Product Name': make(length), 'Firmware Version': make(length) });
      assertLinear(about, identityIn);
      assertLinear(make, (version) => compareFirmware(firmwareIn(version) ?? '1.0', '5.4'));
    });
  }

  const parameters: Make[] = [
    filled('', ' ', '!'),
    filled('', '/', '!'),
    filled('/a', '/.', '!'),
    filled('', '%2e'),
    filled('', '2026-05-31,'),
    filled('FREQ=DAILY;BYDAY=', 'MO,'),
    filled('', 'FREQ=DAILY;'),
    filled('-', '1', '!'),
  ];
  for (const format of Object.keys(formats) as Format[]) {
    it(`a parameter that is ${format}`, () => {
      for (const make of parameters) {
        assertLinear(make, (text) => isAcceptable(format, normalized(format, text)));
        const field = { type: 'string', format, title: '', description: '' } as const;
        assertLinear(make, (text) => coerceParameters({ fields: { text: field } }, { text }));
      }
    });
  }

  it('an address', () => {
    // A longer one is refused without being read.
    const read = (text: string) =>
      text.length > maxUrlLength ? assert.throws(() => parseAddress(text)) : parseAddress(text);
    assertLinear(filled('http://device/a', '/', 'b'), read);
    assertLinear(filled('http', ':'), (text) => assert.throws(() => parseAddress(text)));
  });
});

describe('what is longer than anything a device says', () => {
  it('is left as it is, instead of being looked into', () => {
    const temperature = `41${' '.repeat(20_000)}`;
    assert.deepEqual(parseStatus({ Temperature: temperature }), { temperature });
    assert.equal(firmwareIn('5'.repeat(100_000)), undefined);
    assert.equal(firmwareIn(`${'5'.repeat(100_000)}.7`), undefined);
  });

  it('is no list of events', () => {
    const answer = (count: number) => ({ active: Array.from({ length: count }, () => ({ type: 'call' })) });
    assert.equal(consoleEventsSource.check(answer(500)), undefined);
    assert.equal(consoleEventsSource.check(answer(501)), 'the response has 501 events');
  });
});

describe('what is no text where a text was expected', () => {
  /** Neither of its methods is one. */
  const odd = { toString: 1, valueOf: 1 };

  it('leaves model and firmware unknown', () => {
    assert.deepEqual(identityIn({ 'Product Name': odd, 'Firmware Version': [odd] }), {});
    assert.deepEqual(identityIn({ 'Product Name': ['Algo 8301'], 'Firmware Version': ['5.7'] }), {
      model: '8301',
      firmware: '5.7',
    });
  });

  it('is a state that is not known', () => {
    const input = new RelayInput({ input: 'relay', edge: 'both', debounceMs: 0, initial: true });
    const { messages } = input.report(
      { body: { 'input.relay.status': [odd, 'idle'] }, at: 0, monotonic: 0 },
      false,
    );
    const raw = '{"toString":1,"valueOf":1}; idle';
    const since = '1970-01-01T00:00:00.000Z';
    assert.deepEqual(messages, [
      { payload: { state: 'unknown', description: raw, raw, since }, initial: true },
    ]);
  });
});
