import assert from 'node:assert/strict';
import { Day, inputText } from './day';

/** An event as it is expected: not before this time of the day, within so many seconds of it. */
type Expected = readonly [from: string, withinS: number, output: 1 | 2, content: Record<string, unknown>];

function secondsOf(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return (hours * 60 + minutes) * 60 + seconds;
}

/** What the test compares: times and sentences are looked at by themselves. */
function contentOf(message: Record<string, unknown>): Record<string, unknown> {
  const { topic, device, payload, changes, initial } = message as Record<string, Record<string, unknown>>;
  assert.equal(topic, 'Hall');
  assert.equal(device, 'Hall');
  const shown: Record<string, unknown> = changes ? { changes } : { ...payload };
  for (const volatile of [
    'since',
    'previousMs',
    'description',
    'durationMs',
    'reason',
    'missed',
    'lastSeen',
    'device',
  ]) {
    delete shown[volatile];
  }
  return initial === undefined ? shown : { ...shown, initial };
}

/** Each event happened once, in order and in time, and nothing else did. */
function assertEvents(day: Day, expected: readonly Expected[]): void {
  assert.deepEqual(
    day.events.map(({ output, message, error }) => [output, error ?? contentOf(message ?? {})]),
    expected.map(([, , output, content]) => [output, content]),
  );
  for (const [index, [from, withinS]] of expected.entries()) {
    const late = (day.events[index]?.second ?? 0) - secondsOf(from);
    assert.ok(late >= 0 && late <= withinS, `event ${index} of ${from} came ${late} s later`);
  }
}

const idle = { state: 'idle', raw: 'idle' };
const active = { state: 'active', raw: 'active (Normally Open)' };
const lost = { connection: 'lost' };
const restored = { connection: 'restored' };

/** Whatever befalls a device in a day, apart from what it is there for. */
async function misfortunes(day: Day): Promise<void> {
  await day.until('09:10:20');
  await day.sendJson('POST /api/controls/reboot');
  await day.until('10:00:20');
  day.proxy.mode = 'cut';
  await day.until('11:30:20');
  day.proxy.mode = 'open';
  await day.until('12:00:20');
  day.proxy.mode = 'forbidden';
  await day.until('12:20:20');
  day.proxy.mode = 'open';
  for (let minute = 10; minute < 40; minute++) {
    await day.until(`13:${minute}:20`);
    day.proxy.mode = (['cut', 'broken', 'forbidden'] as const)[minute % 3] ?? 'cut';
    await day.until(`13:${minute + 1}:05`);
    day.proxy.mode = 'open';
  }
  await day.until('15:00:20');
  day.aheadMs = 3_600_000;
  await day.until('17:00:20');
  await day.sendJson('POST /api/controls/upgrade/start');
}

describe('a day of a device', () => {
  let day: Day;

  afterEach(() => day.end());

  it('as algo-relay-input tells it', async () => {
    day = await Day.begin({ newFirmware: '5.8' });
    day.deploy('algo-relay-input');
    const inputs = async () => {
      for (const [time, text] of [
        ['08:00:30', 'active (Normally Open)'],
        ['08:01:30', 'idle'],
        ['08:30:10', 'active (Normally Open)'],
        ['08:30:40', 'idle'],
        ['10:30', 'active (Normally Open)'],
        ['12:10', 'idle'],
        ['15:30:30', 'active (Normally Open)'],
        ['16:00:30', 'idle'],
        ['18:00:30', 'Disabled'],
        ['18:30:30', 'idle'],
      ] as const) {
        day.at(time, () => day.virtual.setInput('relay', text));
      }
    };
    await inputs();
    await misfortunes(day);
    await day.until('24:00');
    assertEvents(day, [
      ['00:00', 5, 1, { ...idle, initial: true }],
      ['08:00:30', 60, 1, active],
      ['08:01:30', 60, 1, idle],
      ['10:00:20', 180, 2, lost],
      ['11:30:20', 30, 1, active],
      ['11:30:20', 60, 2, restored],
      ['12:00:20', 180, 2, lost],
      ['12:20:20', 30, 1, idle],
      ['12:20:20', 60, 2, restored],
      ['13:10:20', 240, 2, lost],
      ['13:40:05', 60, 2, restored],
      ['15:30:30', 60, 1, active],
      ['16:00:30', 60, 1, idle],
      ['18:00:30', 60, 1, { state: 'disabled', raw: 'Disabled' }],
      ['18:30:30', 60, 1, idle],
    ]);
    assert.equal(day.log.length, 6, day.log.join('\n'));
    assert.equal(day.device.record.firmware, '5.8');
    const away = day.readings.filter((second) => second > 10.1 * 3600 && second < 11.5 * 3600);
    assert.ok(away.length > 100);
    for (const [index, second] of away.slice(1).entries()) assert.ok(second - (away[index] ?? 0) <= 31);
    const edges = day.events.filter(({ output }) => output === 1);
    for (const [index, edge] of edges.slice(1).entries()) {
      const before = edges[index]?.second ?? 0;
      assert.ok(Math.abs(Number(edge.message?.payload.previousMs) / 1000 - (edge.second - before)) <= 1);
    }
    const [gone] = day.events.filter(({ message }) => message?.payload.connection === 'lost');
    assert.match(String(gone?.message?.payload.lastSeen), /^2026-11-16T(?:09:59|10:00)/);
    assert.equal(gone?.message?.payload.missed, 3);
    assert.match(String(gone?.message?.payload.reason), /^connection lost before an answer arrived$/);
  });

  it('as algo-status tells it', async () => {
    day = await Day.begin({ newFirmware: '5.8', name: 'Hall' });
    day.deploy('algo-status');
    day.at('08:00:30', () => day.virtual.setInput('relay', 'active'));
    day.at('08:01:30', () => day.virtual.setInput('relay', 'idle'));
    const call = { extension: '100', tone: 'bell-na.wav' };
    day.at('09:00:30', () => day.sendJson('POST /api/controls/call/start', call));
    day.at('11:00:30', () => day.sendJson('PUT /api/settings', { 'audio.page.vol': '-9dB' }));
    day.at('12:10', () => day.virtual.setInput('relay', 'active'));
    day.at('16:00:30', () => day.sendJson('POST /api/controls/call/start', call));
    day.at('16:10:30', () => day.sendJson('POST /api/controls/call/stop'));
    await misfortunes(day);
    await day.until('24:00');
    const calls = (from: string, to: string) => ({ changes: { 'Call Status': { from, to } } });
    const relay = (from: string, to: string) => ({
      changes: { 'Relay Input Status': { from: inputText(from), to: inputText(to) } },
    });
    const volume = { from: 'Page Volume: 4 (-18dB)', to: 'Page Volume: 7 (-9dB)' };
    assertEvents(day, [
      ['00:00', 5, 1, { changes: {}, initial: true }],
      ['08:00:30', 60, 1, relay('idle', 'active')],
      ['08:01:30', 60, 1, relay('active', 'idle')],
      ['09:00:30', 60, 1, calls('Idle', 'Connected')],
      ['09:11:50', 60, 1, calls('Connected', 'Idle')],
      ['10:00:20', 180, 2, lost],
      ['11:30:20', 30, 1, { changes: { Volume: volume } }],
      ['11:30:20', 60, 2, restored],
      ['12:00:20', 180, 2, lost],
      ['12:20:20', 30, 1, relay('idle', 'active')],
      ['12:20:20', 60, 2, restored],
      ['13:10:20', 240, 2, lost],
      ['13:40:05', 60, 2, restored],
      ['16:00:30', 60, 1, calls('Idle', 'Connected')],
      ['16:10:30', 60, 1, calls('Connected', 'Idle')],
    ]);
    assert.equal(day.log.length, 6, day.log.join('\n'));
    assert.equal(day.device.record.firmware, '5.8');
    assert.equal(day.device.record.reachable, true);
    assert.equal(Math.round((day.device.record.clockOffsetMs ?? 0) / 60_000), 60);
  });

  it('as algo-console-events tells it', async () => {
    const buttons = { red: 'emergency', green: 'call', blue: 'pageMic' } as const;
    day = await Day.begin({ model: '8450', firmware: '5.6', newFirmware: '5.8', buttons });
    day.deploy('algo-console-events');
    const press = (id: string) => day.sendJson('POST /api/controls/console/button/activate', { id });
    const stop = (type: string) => day.sendJson('POST /api/controls/console/event/stop', { type });
    day.at('08:00:30', () => press('red'));
    day.at('08:01:30', () => stop('emergency'));
    day.at('09:00:30', () => press('green'));
    day.at('09:05:30', () => press('blue'));
    day.at('10:30', () => press('red'));
    day.at('12:10', () => stop('all'));
    day.at('16:00:30', () => press('red'));
    await misfortunes(day);
    await day.until('24:00');
    const event = (type: string, state: string, active: string[]) => ({ type, state, active });
    assertEvents(day, [
      ['08:00:30', 60, 1, event('emergency', 'started', ['emergency'])],
      ['08:01:30', 60, 1, event('emergency', 'stopped', [])],
      ['09:00:30', 60, 1, event('call', 'started', ['call'])],
      ['09:05:30', 60, 1, event('pageMic', 'started', ['call', 'pageMic'])],
      ['09:11:50', 60, 1, event('call', 'stopped', [])],
      ['09:11:50', 60, 1, event('pageMic', 'stopped', [])],
      ['10:00:20', 180, 2, lost],
      ['11:30:20', 30, 1, event('emergency', 'started', ['emergency'])],
      ['11:30:20', 60, 2, restored],
      ['12:00:20', 180, 2, lost],
      ['12:20:20', 30, 1, event('emergency', 'stopped', [])],
      ['12:20:20', 60, 2, restored],
      ['13:10:20', 240, 2, lost],
      ['13:40:05', 60, 2, restored],
      ['16:00:30', 60, 1, event('emergency', 'started', ['emergency'])],
      ['17:01:50', 60, 1, event('emergency', 'stopped', [])],
    ]);
    assert.equal(day.log.length, 6, day.log.join('\n'));
    assert.equal(day.device.record.firmware, '5.8');
  });
});
