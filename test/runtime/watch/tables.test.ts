import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { localized } from '../../../src/catalogue/localized-message';
import { DeviceError } from '../../../src/client/errors';
import {
  afterAnswer,
  afterMiss,
  atFirst,
  type ConnectionState,
} from '../../../src/runtime/watch/connection-state';
import { ConsoleEvents, consoleEventsSource } from '../../../src/runtime/watch/console-events';
import {
  type Edge,
  type InputMemory,
  type InputState,
  isEdge,
  isFirstReported,
  step,
} from '../../../src/runtime/watch/edges';
import {
  adaptedIntervalMs,
  awayIntervalMs,
  firstDelayMs,
  nextDelayMs,
} from '../../../src/runtime/watch/pace';
import type { Source } from '../../../src/runtime/watch/reading';
import { stateIn } from '../../../src/runtime/watch/relay-input';
import { statusSource } from '../../../src/runtime/watch/status';
import { changesBetween, volatileFields } from '../../../src/runtime/watch/status-fields';
import { parseStatus } from '../../../src/runtime/watch/status-parsed';
import { statusOf, statusOfGroup } from '../../../src/runtime/watch/status-words';

describe('edges', () => {
  const states: Record<string, InputState> = { a: 'active', i: 'idle', d: 'disabled', u: 'unknown' };

  /** The readings, one a second, that are reported; the first one in capitals when it is. */
  function reported(readings: string, edge: Edge): string {
    let memory: InputMemory | undefined;
    let result = '';
    for (const [second, letter] of [...readings].entries()) {
      const state = states[letter] ?? assert.fail(letter);
      const seen = { state, at: second * 1000, monotonic: second * 1000 };
      const { memory: after, changedFrom } = step(memory, seen, 0);
      if (!memory && isFirstReported(edge, state)) result += letter.toUpperCase();
      if (changedFrom && isEdge(edge, changedFrom, state)) result += letter;
      memory = after;
    }
    return result;
  }

  const cases: [readings: string, both: string, rising: string, falling: string][] = [
    ['iiaai', 'Iai', 'a', 'Ii'],
    ['aaiia', 'Aia', 'Aa', 'i'],
    ['i', 'I', '', 'I'],
    ['a', 'A', 'A', ''],
    ['iuuai', 'Iuai', 'a', 'Ii'],
    ['auua', 'Aua', 'A', ''],
    ['aui', 'Aui', 'A', 'i'],
    ['adi', 'Adi', 'A', 'i'],
    ['ada', 'Ada', 'Aa', ''],
    ['di', 'Di', '', ''],
    ['da', 'Da', 'a', ''],
    ['idi', 'Idi', '', 'I'],
    ['ua', 'Ua', 'a', ''],
  ];
  for (const [readings, both, rising, falling] of cases) {
    it(`of ${readings} are ${both}, ${rising || 'none'} and ${falling || 'none'}`, () => {
      assert.deepEqual(
        [reported(readings, 'both'), reported(readings, 'rising'), reported(readings, 'falling')],
        [both, rising, falling],
      );
    });
  }

  it('count once a new state has lasted as long as the debounce', () => {
    const at = (state: InputState, ms: number) => ({ state, at: ms, monotonic: ms });
    const first = step(undefined, at('idle', 0), 300);
    const bounce = step(first.memory, at('active', 100), 300);
    assert.deepEqual([bounce.changedFrom, bounce.againMs], [undefined, 300]);
    const back = step(bounce.memory, at('idle', 200), 300);
    assert.deepEqual(back, { memory: first.memory });
    const again = step(back.memory, at('active', 1000), 300);
    const early = step(again.memory, at('active', 1100), 300);
    assert.equal(early.againMs, 200);
    const settled = step(early.memory, at('active', 1300), 300);
    assert.equal(settled.changedFrom?.current.state, 'idle');
    assert.equal(settled.memory.current.at, 1000);
  });
});

describe('the state of a relay input', () => {
  const cases: [raw: string, state: string, description: string][] = [
    ['idle', 'idle', ''],
    ['Idle', 'idle', ''],
    ['active (Normally Open)', 'active', 'Normally Open'],
    ['Active, Normally Closed, tamper', 'active', 'Normally Closed, tamper'],
    ['active', 'active', ''],
    ['Disabled', 'disabled', ''],
    ['inactive', 'unknown', 'inactive'],
    ['', 'unknown', ''],
  ];
  for (const [raw, state, description] of cases) {
    it(`"${raw}" is ${state}`, () => assert.deepEqual(stateIn(raw), { state, description }));
  }
});

describe('an answer that cannot be used', () => {
  const unusable: [what: string, source: Source, body: unknown][] = [
    ['an empty status record', statusSource, {}],
    ['a complaint instead of a status record', statusSource, { error: 'busy', status: 'error' }],
    ['a list', statusSource, []],
    ['a console event without a type', consoleEventsSource, { active: [{ type: 'call' }, {}] }],
    ['a console event that is nothing', consoleEventsSource, { active: [null] }],
    ['no list of events', consoleEventsSource, { active: 'call' }],
  ];
  for (const [what, source, body] of unusable) {
    it(`is ${what}`, () => assert.equal(typeof source.check(body), 'string'));
  }

  it('is none of these', () => {
    assert.equal(statusSource.check({ 'Call Status': 'Idle' }), undefined);
    assert.equal(consoleEventsSource.check({ active: [{ type: 'call' }] }), undefined);
    assert.equal(consoleEventsSource.check({ active: [] }), undefined);
  });
});

describe('the status under a watching node', () => {
  const translate = (key: string, values: Record<string, string> = {}) =>
    `${key} ${Object.values(values).join()}`;

  it('says the reason why a device is offline', () => {
    const error = new DeviceError('UNREACHABLE', localized('refusesConnections', { port: '443' }));
    assert.equal(
      statusOf(translate, { state: 'offline', error }).text,
      'state.offline connection refused on port 443',
    );
    assert.equal(statusOf(translate, { state: 'unsupported', error }).text, 'connection refused on port 443');
  });

  for (const [reachable, total, offline, fill, shape] of [
    [14, 14, 0, 'green', 'dot'],
    [12, 14, 2, 'yellow', 'ring'],
    [0, 14, 14, 'red', 'ring'],
    [0, 14, 1, 'yellow', 'ring'],
    [3, 14, 0, 'grey', 'ring'],
  ] as const) {
    it(`is ${fill} with ${reachable} of ${total} members, of which ${offline} are offline`, () =>
      assert.deepEqual(statusOfGroup(translate, { reachable, total, offline }), {
        fill,
        shape,
        text: `state.reachable ${reachable},${total}`,
      }));
  }

  it('has fewer than 20 characters in every case, without the reason of a failure', () => {
    const file = path.resolve(__dirname, '../../../../locales/en-US/shared.json');
    const { state } = JSON.parse(readFileSync(file, 'utf8'));
    const texts: string[] = Object.values(state).map((text) =>
      String(text)
        .replace('__reason__', '')
        .replace('__missed__', '999/1000')
        .replace(/__(?:reachable|of)__/g, '10000'),
    );
    assert.ok(texts.length > 8);
    assert.deepEqual(
      texts.filter((text) => text.length >= 20),
      [],
    );
  });

  const events: [types: string[], text: string][] = [
    [[], 'state.idle'],
    [['call', 'call', 'pageMic'], 'call, pageMic'],
    [['emergency', 'call', 'pageMic'], 'emergency +2'],
    [['remoteEmergencyAlertActive'], 'remoteEmergencyAler'],
    [['remoteEmergencyAlertActive', 'call'], 'remoteEmergencyA +1'],
  ];
  for (const [types, text] of events) {
    it(`of a console with ${types.join(', ') || 'no events'} is ${text}`, () => {
      const body = { active: types.map((type) => ({ type })) };
      const { status } = new ConsoleEvents({ initial: true }).report({ body, at: 0, monotonic: 0 });
      assert.deepEqual(status, text.startsWith('state.') ? { key: text } : { text });
    });
  }
});

describe('connection', () => {
  /** What a row of readings (`x` missed, `o` answered) says: `L` lost, `R` restored, after so many misses. */
  function transitions(readings: string, limit: number): string {
    let connection: ConnectionState = atFirst;
    let result = '';
    for (const reading of readings) {
      const turn = reading === 'x' ? afterMiss(connection, limit) : afterAnswer(connection, limit);
      connection = turn.connection;
      if (turn.change) result += `${turn.change.connection === 'lost' ? 'L' : 'R'}${turn.change.missed}`;
    }
    return result;
  }

  const cases: [readings: string, limit: number, told: string][] = [
    ['oooo', 3, ''],
    ['oxxoxxo', 3, ''],
    ['oxxxxxooo', 3, 'L3R5'],
    ['xxxooo', 3, 'L3R3'],
    ['xxxoxooxxoxooo', 3, 'L3R7'],
    ['xxxoooxxxooo', 3, 'L3R3L3R3'],
    ['xoxo', 1, 'L1R1L1R1'],
    ['xxxxxxxxxxooo', 10, 'L10R10'],
  ];
  for (const [readings, limit, result] of cases) {
    it(`says ${result || 'nothing'} of ${readings} with ${limit} misses`, () => {
      assert.equal(transitions(readings, limit), result);
    });
  }
});

describe('the pace', () => {
  it('spreads first readings over the interval, but over no more than five seconds', () => {
    assert.deepEqual(
      [firstDelayMs(1000, 0), firstDelayMs(1000, 0.5), firstDelayMs(60_000, 0.5)],
      [0, 500, 2500],
    );
  });

  it('skips the readings that a slow one covered', () => {
    const delays = [0, 100, 1000, 1001, 2500].map((took) => nextDelayMs(1000, took));
    assert.deepEqual(delays, [1000, 900, 0, 999, 500]);
  });

  it('slows down while a device is away, to no more than 30 s', () => {
    assert.deepEqual(
      [1, 2, 3, 4, 5, 100].map((extra) => awayIntervalMs(1000, extra)),
      [2000, 4000, 8000, 16_000, 30_000, 30_000],
    );
    assert.equal(awayIntervalMs(60_000, 1), 30_000);
  });

  it('adapts to what has changed, where that is wanted', () => {
    assert.equal(adaptedIntervalMs(10_000, 0), 2500);
    assert.equal(adaptedIntervalMs(400, 0), 200);
    assert.equal(adaptedIntervalMs(10_000, 100_000), 10_000);
    assert.equal(adaptedIntervalMs(10_000, 1_000_000), 40_000);
    assert.equal(adaptedIntervalMs(30_000, 10_000_000), 60_000);
    assert.equal(adaptedIntervalMs(600_000, 100_000_000), 600_000);
  });
});

describe('what changes in a status', () => {
  const choice = { watched: [], ignored: volatileFields, counters: false };
  const changed = (before: Record<string, unknown>, after: Record<string, unknown>, other = {}) =>
    changesBetween(before, after, { ...choice, ...other });

  it('is each field, with what it was and what it is', () => {
    assert.deepEqual(changed({ A: '1', B: '2' }, { A: '1', B: '3' }), { B: { from: '2', to: '3' } });
    assert.deepEqual(changed({ A: '1' }, { B: '2' }), {
      A: { from: '1', to: null },
      B: { from: null, to: '2' },
    });
    assert.deepEqual(changed({ A: ['1', '2'] }, { A: ['1', '2'] }), {});
  });

  it('is not what changes by itself, unless somebody watches it', () => {
    const before = { 'Date / Time': '1', Temperature: '40C', 'Last Weather Update': '1', A: '1' };
    const after = { 'Date / Time': '2', Temperature: '41C', 'Last Weather Update': '2', A: '2' };
    assert.deepEqual(changed(before, after), { A: { from: '1', to: '2' } });
    assert.deepEqual(changed(before, after, { watched: ['Temperature'] }), {
      Temperature: { from: '40C', to: '41C' },
    });
  });

  it('is the mode of multicast, not its counters', () => {
    const mode = (text: string) => ({ 'Multicast Mode': text });
    assert.deepEqual(changed(mode('Receiver (Active) 17 packets'), mode('Receiver (Active) 18 packets')), {});
    assert.deepEqual(changed(mode('Receiver (Active) 17 packets'), mode('Receiver (Idle) 17 packets')), {
      'Multicast Mode': { from: 'Receiver (Active)', to: 'Receiver (Idle)' },
    });
    assert.deepEqual(changed(mode('Receiver (Active) zone 2, 17'), mode('Receiver (Active) zone 3, 18')), {
      'Multicast Mode': { from: 'Receiver (Active) zone 2', to: 'Receiver (Active) zone 3' },
    });
    const zones: readonly (readonly [one: string, other: string])[] = [
      ['Zone: 2', 'Zone: 3'],
      ['on zones 2', 'on zones 3'],
      ['224.0.2.60:50002', '224.0.2.60:50004'],
      ['(224.0.2.60)', '(224.0.2.61)'],
    ];
    for (const [one, other] of zones) {
      const active = (zone: string, count: number) => mode(`Receiver (Active) ${zone}, ${count}`);
      assert.ok('Multicast Mode' in changed(active(one, 17), active(other, 18)), other);
      assert.deepEqual(changed(active(one, 17), active(one, 18)), {}, one);
    }
    assert.deepEqual(changed(mode('Receiver (Idle)'), mode('Receiver (Active, zone 3) 18')), {
      'Multicast Mode': { from: 'Receiver (Idle)', to: 'Receiver (Active, zone 3)' },
    });
    const counted = changed(mode('Receiver (Idle) 1'), mode('Receiver (Idle) 2'), { counters: true });
    assert.deepEqual(counted, { 'Multicast Mode': { from: 'Receiver (Idle) 1', to: 'Receiver (Idle) 2' } });
  });
});

describe('what is read from a status', () => {
  const cases: [field: string, text: unknown, name: string, value: unknown][] = [
    ['Call Status', 'Idle', 'call', { active: false, state: 'Idle' }],
    ['Call Status', 'Playing Delayed Page', 'call', { active: true, state: 'Playing Delayed Page' }],
    ['Call Status', 'Something new', 'call', 'Something new'],
    ['Multicast Mode', 'Disabled', 'multicast', { active: false, mode: 'disabled' }],
    ['Multicast Mode', 'Transmitter (Active) zone 1', 'multicast', { active: true, mode: 'transmitter' }],
    ['Multicast Mode', 'Receiver (Active, zone 3) 17', 'multicast', { active: true, mode: 'receiver' }],
    ['Multicast Mode', 'Receiver zone 3 (Active)', 'multicast', 'Receiver zone 3 (Active)'],
    ['Multicast Mode', 'Receiver', 'multicast', 'Receiver'],
    ['SIP Registration', 'Successful', 'sip', [{ account: '', registered: true, state: 'Successful' }]],
    [
      'SIP Registration',
      'Main, No Account;BK1, Rejected, 100;',
      'sip',
      [
        { account: 'Main', registered: false, state: 'No Account' },
        { account: 'BK1', registered: false, state: 'Rejected', extension: '100' },
      ],
    ],
    ['SIP Registration', 'Page, Paging', 'sip', 'Page, Paging'],
    ['Next Scheduled Event', 'No Events Scheduled', 'nextEvent', null],
    [
      'Next Scheduled Event',
      'Morning bell, 2026-11-23, 08:00:00, bell-na.wav',
      'nextEvent',
      { name: 'Morning bell', date: '2026-11-23', time: '08:00:00' },
    ],
    [
      'Next Scheduled Event',
      'Bell 10:30, since 2026-01-01, 2026-11-23, 08:00, bell-na.wav',
      'nextEvent',
      { name: 'Bell 10:30, since 2026-01-01', date: '2026-11-23', time: '08:00' },
    ],
    ['Next Scheduled Event', 'soon', 'nextEvent', 'soon'],
    ['Volume', 'Page Volume: 4 (-18dB)', 'volume', { level: 4, dB: -18 }],
    ['Volume', 'Page Volume: 11 (+3dB)', 'volume', { level: 11, dB: 3 }],
    ['Volume', 'loud', 'volume', 'loud'],
    [
      'Panic Button Status',
      ['Lobby, Left door, Idle', 'Gym, Wall, Pressed'],
      'panicButtons',
      [
        { location: 'Lobby', description: 'Left door', state: 'Idle' },
        { location: 'Gym', description: 'Wall', state: 'Pressed' },
      ],
    ],
    ['Temperature', '41C', 'temperature', 41],
    ['Temperature', '-3.5 °C', 'temperature', -3.5],
    ['Temperature', 'n/a', 'temperature', 'n/a'],
  ];
  for (const [field, text, name, value] of cases) {
    it(`"${field}" of ${JSON.stringify(text)}`, () => {
      assert.deepEqual(parseStatus({ [field]: text }), { [name]: value });
    });
  }

  it('is nothing for a field that is not there', () => assert.deepEqual(parseStatus({ MAC: '00' }), {}));
});
