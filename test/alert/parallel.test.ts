import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeAPI } from 'node-red';
import type { SharedJournal } from '../../src/kernel/journal/journal';
import { Alerts, alertsOf } from '../../src/runtime/alert/alerts';
import { action, alertNode, states } from '../fixtures/alert-node';
import type { FakeDevice } from '../fixtures/fake-device';
import { eachWithLimiterClock } from '../fixtures/limiter-clock';
import { act, receiptsOf, Site } from '../fixtures/site';
import { about, boot, Clock, clearIn, deviceAction, kept } from './engine-parts';

describe('algo-alert among many devices and many messages', () => {
  let site: Site;
  let devices: FakeDevice[];
  const clock = eachWithLimiterClock();

  beforeEach(async () => {
    site = new Site();
    devices = [];
    for (const name of ['One', 'Two', 'Three', 'Four', 'Five']) devices.push(await site.device(name, '8410'));
  });
  afterEach(() => site.end());

  /** How many requests of these have no answer yet. */
  const held = () => devices.reduce((sum, device) => sum + device.held.length, 0);

  /** Answers what is held, one after the other, until so many are answered; returns the most that were held at once. */
  async function answerAll(count: number): Promise<number> {
    let most = 0;
    for (let answered = 0; answered < count; answered += 1) {
      // As many as there may be are there before one of them is answered.
      await site.until('the next is asked', () => held() >= Math.min(2, count - answered));
      await new Promise((resolve) => setImmediate(resolve));
      most = Math.max(most, held());
      devices.find((device) => device.held.length > 0)?.release();
    }
    return most;
  }

  it('speaks to as many at once as the group says, in a start and in a clear', async () => {
    const alert = alertNode([action('strobe/start')], { target: 'group', group: 'all' });
    const all = { id: 'all', type: 'algo-group', name: 'All', devices: devices.map(({ id }) => id) };
    await site.start([
      ...devices.map((device) => device.config()),
      { ...all, maxParallel: 2 },
      states,
      alert,
    ]);
    for (const device of devices) device.behavior = () => 'hold';
    for (const [operation, done] of [
      ['start', 'strobe/start'],
      ['clear', 'strobe/stop'],
    ]) {
      const way = site.send(alert.id, { operation });
      assert.equal(await answerAll(5), 2);
      const receipts = receiptsOf(await site.ended(way));
      assert.deepEqual(
        receipts.map((receipt) => `${receipt.operation} ${receipt.outcome}`),
        Array(5).fill(`${done} accepted`),
      );
    }
  });

  it('goes on after a second where hung devices fill `maxParallel`, in a start and in a clear', async () => {
    const alert = alertNode([action('strobe/start')], { target: 'group', group: 'all' });
    const all = { id: 'all', type: 'algo-group', name: 'All', devices: devices.map(({ id }) => id) };
    await site.start([
      // The time-out never helps.
      ...devices.map((device) => device.config({ timeout: 3600 })),
      { ...all, maxParallel: 2 },
      states,
      alert,
    ]);
    const [hung, healthy] = [devices.slice(0, 2), devices.slice(2)];
    for (const device of hung) device.behavior = () => 'hold';
    for (const [operation, done] of [
      ['start', 'strobe/start'],
      ['clear', 'strobe/stop'],
    ] as const) {
      const way = site.send(alert.id, { operation });
      await site.until('the hung have it', () => hung.every(({ held }) => held.includes(done)));
      clock().advance(999);
      await new Promise((resolve) => setImmediate(resolve));
      assert.ok(!healthy.some(({ operationNames }) => operationNames.includes(done)));
      clock().advance(1);
      await site.until('the others have it', () =>
        healthy.every(({ operationNames }) => operationNames.includes(done)),
      );
      for (const device of hung) device.release();
      await site.ended(way);
    }
  });

  it('asks after a restart as many at once as the group says for what they owe', async () => {
    let RED: NodeAPI | undefined;
    const capture = (api: NodeAPI) => {
      RED = api;
    };
    await site.start([...devices.map((device) => device.config()), states] as never, {}, [capture]);
    for (const device of devices) device.behavior = () => 'hold';
    const before = boot(new Clock());
    const deviceActions = devices.map(({ id, name }) => ({ ...deviceAction, device: { id, name } }));
    for (const { ticket } of before.start({ ...about, maxParallel: 2 }, deviceActions))
      if (ticket) before.answered(ticket, 'taken');
    for (const ticket of clearIn(before, about.id)) before.answered(ticket, 'missed');
    const journal = kept(before);
    const events = new EventEmitter();
    const written = async () => {};
    const batch = async (change: () => void) => change();
    const store: { [name in keyof SharedJournal]: unknown } = {
      entries: (prefix: string) => [...journal].filter(([key]) => key.startsWith(prefix)),
      put: written,
      delete: written,
      batch,
    };
    const alerts = new Alerts({ ...RED, events } as unknown as NodeAPI, store as never);
    assert.deepEqual(alerts.engine.state(about.id)?.pending, ['One', 'Two', 'Three', 'Four', 'Five']);
    events.emit('flows:started');
    assert.equal(await answerAll(5), 2);
    await site.until('all is ended', () =>
      devices.every(({ operationNames }) => operationNames.join() === 'strobe/stop'),
    );
    events.emit('flows:stopped');
  });

  it('looks into its book only where a message of another node has changed something of an alert', async () => {
    let RED: NodeAPI | undefined;
    const capture = (api: NodeAPI) => {
      RED = api;
    };
    const alert = alertNode([action('strobe/start')]);
    const flash = { ...act('strobe/start', { device: 'one', duringAlert: true }), id: 'flash' };
    const text = { ...act('screen/text-start', { device: 'one' }), id: 'text' };
    await site.start([devices[0]?.config(), states, alert, flash, text] as never, {}, [capture]);
    await site.ask(alert.id, { device: 'One' });
    assert.ok(RED);
    let eventCount = 0;
    const detach = alertsOf(RED).attach(
      'counted',
      {
        state: () => assert.fail(),
        onReached() {},
        onEnded() {},
        onUnacknowledged() {},
        onChange: () => {
          eventCount += 1;
        },
      },
      false,
    );
    const looks = async () => {
      while (eventCount === 0) await new Promise((resolve) => setImmediate(resolve));
    };
    // A node that begins looks once, and again after the pause if the start was still to be told: a timer that was set
    // before, for less, comes first.
    await looks();
    await sleep(1_000);
    eventCount = 0;
    for (let count = 0; count < 10; count += 1) await site.ask('text');
    assert.equal(eventCount, 0);
    await site.ask('flash');
    await looks();
    await site.ask('flash');
    assert.equal(eventCount, 1);
    detach();
    await site.ask(alert.id, { operation: 'clear' });
  });
});
