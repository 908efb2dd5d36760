import assert from 'node:assert/strict';
import type { Receipt } from '../../src/runtime/message/receipt';
import { Chance } from '../catalogue/random';
import { ask, startFlow, stopFlow } from '../fixtures/flow';
import {
  dateAt,
  dayList,
  type Kept,
  numberOf,
  type PaperBell,
  type PaperMark,
  wrongAfterMark,
  wrongAfterSync,
} from './paper-model';
import { type Fault, faults, PlainDevice } from './plain-device';

const devicesAtOnce = 12;
const rounds = 10;

const base = numberOf('2031-12-20');

function bellsBy(chance: Chance): PaperBell[] {
  const date = (min: number, span: number) => dateAt(base + min + Math.floor(chance.next() * span));
  return chance.some(['First', 'Break', 'Mittag – Gong', 'A,B;C', 'Last'], 60).map((name) => ({
    name,
    time: chance.one(['08:00', '08:00:00', '00:00', '23:59:59', '02:30']),
    days: chance.one(['daily', 'mon-fri', 'mon,wed', 'sat-sun', 'tue,thu-fri']),
    audio: chance.one(['bell-na.wav', 'gong.wav']),
    from: date(-30, 60),
    ...(chance.percent(50) && { until: date(60, 400) }),
    ...(chance.percent(50) && { except: [date(0, 30), { start: '2032-02-28', end: '2032-03-01' }] }),
    ...(chance.percent(30) && { zone: 1 + Math.floor(chance.next() * 9) }),
  }));
}

/** What somebody does to an event at the device. */
const byHand: Readonly<Record<string, unknown>> = {
  start_time: '10:10',
  rrule: 'FREQ=DAILY;INTERVAL=3;COUNT=9',
  exdate: '2032-02-29',
  rdate: '2032-02-29',
  audio: 'chime.wav',
  enabled: 0,
  auto_remove: 1,
  start_date: '2031-12-31',
  tag: 'others',
};

/** One message to all devices: what it says, and what of a device is wrong where it was done. */
interface Change {
  readonly operation: string;
  readonly payload: object;
  wrong(before: readonly Kept[], after: readonly Kept[]): string[];
}

function changeBy(chance: Chance): Change {
  if (chance.percent(60)) {
    const bells = bellsBy(chance);
    const wrong: Change['wrong'] = (before, after) => wrongAfterSync(before, after, 'school', bells);
    return { operation: 'sync', payload: { tag: 'school', bells }, wrong };
  }
  const operation = chance.one<PaperMark>(['skip', 'unskip', 'exclude', 'unexclude']);
  const start = base + Math.floor(chance.next() * 90);
  const dates = { start: dateAt(start), end: dateAt(start + Math.floor(chance.next() * 9)) };
  const tag = chance.percent(50) ? 'lunch' : undefined;
  const days = dayList(dates);
  return {
    operation,
    payload: { dates, ...(tag !== undefined && { tag }) },
    wrong: (before, after) => wrongAfterMark(before, after, operation, days, tag),
  };
}

describe('random histories of a schedule', () => {
  let devices: PlainDevice[];
  const names = Array.from({ length: devicesAtOnce }, (_, index) => `Device ${index}`);
  const chance = new Chance(20311220);

  before(async () => {
    const half = () => chance.percent(50);
    devices = names.map(
      () =>
        new PlainDevice({ seconds: half(), rules: half(), numbers: half(), lists: half(), sparse: half() }),
    );
    const addresses = await Promise.all(devices.map((device) => device.start()));
    const known = { type: 'algo-device', auth: 'none', model: '8301', firmware: '5.7' };
    const node = { type: 'algo-scheduler', target: 'msg', operation: 'msg', parametersType: 'msg' };
    await startFlow([
      ...names.map((name, index) => ({ ...known, id: `device-${index}`, name, address: addresses[index] })),
      { ...node, id: 'scheduler', parameters: 'payload', confirmWrite: true },
    ]);
    const other = { event_type: 'play_tone', audio: 'gong.wav', rrule: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR' };
    for (const device of devices) {
      device.create({ ...other, name: 'First', start_date: '2031-12-01', start_time: '12:00', tag: 'lunch' });
    }
  });
  after(async () => {
    await stopFlow();
    await Promise.all(devices.map((device) => device.stop()));
  });

  async function sendChange({ operation, payload }: Change): Promise<Receipt[]> {
    const { sent, caught } = await ask('scheduler', { device: names, operation, payload });
    const { receipts = [] } = caught[0] ?? sent[0] ?? {};
    assert.deepEqual(
      receipts.map(({ device }) => device),
      names,
    );
    return receipts;
  }

  function meddle({ events }: PlainDevice): string {
    const event = events.filter(({ tag }) => tag === 'school')[0];
    if (!event || chance.percent(50)) return '';
    const [field, value] = chance.one(Object.entries(byHand));
    Object.assign(event, { [field]: value });
    return `${field} of ${event.name} by hand`;
  }

  it(`have receipts that say what is at the device, ${rounds} times at ${devicesAtOnce} devices at once`, async () => {
    const seen = new Set<string>();
    for (let round = 0; round < rounds; round += 1) {
      const change = changeBy(chance);
      const changed = devices.map(meddle);
      const befores = devices.map(({ kept }) => kept);
      const struck = devices.map((): Fault | undefined =>
        chance.percent(50) ? chance.one(Object.keys(faults) as Fault[]) : undefined,
      );
      for (const [index, device] of devices.entries()) {
        device.fault = struck[index];
        device.asked = 0;
      }
      const receipts = await sendChange(change);
      for (const [index, { outcome, error }] of receipts.entries()) {
        const [device, before, fault] = [devices[index], befores[index], struck[index]];
        assert.ok(device && before);
        const story = `${round} ${names[index]} ${changed[index]} ${fault} ${JSON.stringify(change)}: ${error?.message}`;
        const isDone = ['confirmed', 'accepted'].includes(outcome);
        if (isDone) assert.deepEqual(change.wrong(before, device.kept), [], story);
        else assert.deepEqual([outcome, device.kept], ['failed', before], story);
        if (device.asked > 0 && fault) assert.ok(!faults[fault].isDone || isDone, story);
        assert.ok(device.asked <= 1, story);
        seen.add(`${change.operation} ${outcome}`);
        device.fault = undefined;
        device.asked = 0;
      }
      const again = await sendChange(change);
      for (const [index, device] of devices.entries()) {
        const story = `${round} ${names[index]} again: ${again[index]?.error?.message}`;
        assert.ok(['confirmed', 'accepted'].includes(again[index]?.outcome ?? ''), story);
        assert.deepEqual(change.wrong(befores[index] ?? [], device.kept), [], story);
        const isRepeated = ['confirmed', 'accepted'].includes(receipts[index]?.outcome ?? '');
        if (change.operation === 'sync' && isRepeated) assert.equal(device.asked, 0, story);
      }
    }
    assert.ok(seen.has('sync failed') && seen.has('sync confirmed'), [...seen].join());
  });
});
