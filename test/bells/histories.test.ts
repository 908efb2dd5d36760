import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { VirtualDevice } from '../../src/virtual-device/device';
import { ask, startFlow, stopFlow } from '../fixtures/flow';
import { ownHost } from '../fixtures/listening';
import { wordingIn } from '../fixtures/wording';
import { type Answer, School } from './school';

const lesson = { name: 'Lesson', time: '08:00', days: 'mon-fri', audio: 'bell-na.wav', from: '2030-09-02' };
const lunch = { name: 'Lunch', time: '12:00', days: 'mon,wed', audio: 'chime.wav', from: '2030-09-02' };
const bells = [lesson, lunch];

const rung = (device: VirtualDevice) =>
  (device.schedules as { events: { name: string; start_time: string }[] }).events
    .map(({ name, start_time }) => `${start_time} ${name}`)
    .sort();

describe('a schedule that somebody changes at the device', () => {
  let school: School;

  beforeEach(async () => {
    school = await School.open();
  });
  afterEach(() => school.close());

  const sync = () => school.answer('sync', { tag: 'school', bells });
  const events = async () => (await school.answer('get')).events as Answer[];

  it('is as the bells say after the next sync, by the smallest change, and then by none', async () => {
    await sync();
    const [one, two] = await events();
    const hand: readonly [change: object, told: object][] = [
      [{ events: [{ evid: one?.evid, start_time: '08:15' }] }, { updated: [lesson] }],
      [{ events: [{ evid: one?.evid, exdate: '2030-09-03' }] }, { updated: [lesson] }],
      [{ events: [{ evid: one?.evid, rrule: 'FREQ=WEEKLY;BYDAY=MO' }] }, { updated: [lesson] }],
      [{ events: [{ evid: one?.evid, enabled: 0 }] }, { updated: [lesson] }],
      [{ events: [{ evid: one?.evid, rdate: '2030-09-07' }] }, { updated: [lesson] }],
      [{ events: [{ evid: one?.evid, auto_remove: 1 }] }, { updated: [lesson] }],
      [{ delete: [{ evid: two?.evid }] }, { created: [lunch] }],
      [{ events: [{ evid: one?.evid, tag: '' }] }, { created: [lesson] }],
      [
        { events: [{ ...two, evid: undefined, duration: undefined, greyed_out_date: undefined }] },
        { deleted: [{ name: 'Lunch', time: '12:00' }] },
      ],
    ];
    for (const [change, expected] of hand) {
      await school.answer('apply', change);
      const { created, updated, deleted } = await sync();
      assert.deepEqual({ created, updated, deleted }, { created: [], updated: [], deleted: [], ...expected });
      const written = school.writes.length;
      assert.equal((await sync()).unchanged, 2, JSON.stringify(change));
      assert.equal(school.writes.length, written);
    }
    const rings = { '2030-09-03': ['08:00 Lesson'], '2030-09-04': ['08:00 Lesson', '12:00 Lunch'] };
    const seen = await school.calendar('2030-09-03', 2);
    const own = Object.entries(seen).map(([date, list]) => [date, [...new Set(list)]]);
    assert.deepEqual(Object.fromEntries(own), rings);
  });
});

describe('two nodes that sync one device', () => {
  it('under two names at once may both create, and the next one puts it right', async () => {
    const device = new VirtualDevice({ firmware: '5.7', auth: 'none', host: ownHost });
    const address = await device.start();
    const known = { type: 'algo-device', address, auth: 'none', model: '8301', firmware: '5.7' };
    const node = { type: 'algo-scheduler', operation: 'sync', parametersType: 'msg', parameters: 'payload' };
    await startFlow([
      { ...known, id: 'one', name: 'One' },
      { ...known, id: 'two', name: 'Two' },
      { ...node, id: 'scheduler', target: 'msg' },
    ]);
    try {
      const payload = { tag: 'school', bells };
      const both = await ask('scheduler', { device: ['One', 'Two'], payload });
      assert.deepEqual(both.caught, []);
      const once = ['08:00 Lesson', '12:00 Lunch'];
      const after = rung(device);
      assert.deepEqual([...new Set(after)], once);
      const { sent } = await ask('scheduler', { device: 'One', payload });
      assert.deepEqual(rung(device), once);
      const { deleted } = (sent[0]?.payload ?? {}) as { deleted: unknown[] };
      assert.equal(deleted.length, after.length - once.length);
    } finally {
      await stopFlow();
      await device.stop();
    }
  });
});

describe('a device that loses power', () => {
  let folder: string;
  let device: VirtualDevice;
  let port: number;

  const open = async (more: object) => {
    folder = mkdtempSync(path.join(tmpdir(), 'algo-bells-'));
    device = new VirtualDevice({ firmware: '5.7', auth: 'none', folder, host: ownHost });
    const address = await device.start();
    port = Number(new URL(address).port);
    await startFlow([
      {
        id: 'device',
        type: 'algo-device',
        name: 'Bells',
        address,
        auth: 'none',
        model: '8301',
        firmware: '5.7',
      },
      {
        ...{ id: 'scheduler', type: 'algo-scheduler', target: 'device', device: 'device', operation: 'sync' },
        ...{ parametersType: 'msg', parameters: 'payload', ...more },
      },
    ]);
  };
  /** Its answer never leaves, and nobody reaches it after that. */
  const pullThePlug = () => {
    device.controls.addFault({ kind: 'reset-after', route: 'POST /api/schedules' });
    device.on('request', ({ method }) => {
      if (method === 'POST') device.controls.addFault({ kind: 'reset-before', route: 'GET' });
    });
  };
  const back = async () => {
    device = new VirtualDevice({ firmware: '5.7', auth: 'none', folder, host: ownHost, port });
    await device.start();
  };
  afterEach(async () => {
    await stopFlow();
    await device.stop();
    rmSync(folder, { recursive: true });
  });

  const sync = () => ask('scheduler', { payload: { tag: 'school', bells } });

  for (const more of [{}, { confirmWrite: true }]) {
    const how = 'confirmWrite' in more ? ', and is to be read back' : '';
    it(`after a change${how}, is unknown until it is back, and then needs no other request`, async () => {
      await open(more);
      pullThePlug();
      const { caught } = await sync();
      assert.equal(caught[0]?.receipts?.[0]?.outcome, 'unknown');
      assert.match(String(caught[0]?.error?.message), wordingIn('reasons:scheduleUnclear'));
      await device.stop();
      await back();
      const { sent } = await sync();
      assert.equal((sent[0]?.payload as Answer | undefined)?.unchanged, 2);
      assert.ok(device.log.every(({ method }) => method === 'GET'));
    });
  }

  it('before it has kept the change, has all of it to do again', async () => {
    await open({});
    pullThePlug();
    assert.equal((await sync()).caught[0]?.receipts?.[0]?.outcome, 'unknown');
    await device.stop();
    rmSync(folder, { recursive: true });
    await back();
    const { sent } = await sync();
    assert.deepEqual((sent[0]?.payload as Answer | undefined)?.created, bells);
    assert.deepEqual(rung(device), ['08:00 Lesson', '12:00 Lunch']);
  });

  it('after it said yes and before it was read back, keeps the yes, with a note', async () => {
    await open({ confirmWrite: true });
    // What asks for the database again finds nobody.
    device.on('request', ({ method }) => {
      if (method === 'POST') device.controls.addFault({ kind: 'reset-before', route: 'GET' });
    });
    const { sent, caught } = await sync();
    assert.deepEqual(caught, []);
    const [receipt] = sent[0]?.receipts ?? [];
    assert.equal(receipt?.outcome, 'accepted');
    assert.match(String(receipt?.note), wordingIn('reasons:notReadBack'));
  });
});
