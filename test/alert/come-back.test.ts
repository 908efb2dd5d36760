import assert from 'node:assert/strict';
import helper from 'node-red-node-test-helper';
import type { AlertState, RetryAlert, SendResult } from '../../src/runtime/alert/alert';
import type { Engine } from '../../src/runtime/alert/engine';
import type { Answer, Ticket } from '../../src/runtime/alert/output-state';
import type { Receipt } from '../../src/runtime/message/receipt';
import {
  action,
  alertNode,
  alertOf,
  eachWithPlace,
  eventLinesOf,
  eventsBy,
  type Place,
  short,
  states,
} from '../fixtures/alert-node';
import { receiptLog, receiptsOf } from '../fixtures/site';
import { about, boot, Clock, clearIn, deviceAction, kept } from './engine-parts';

describe('a device that comes back while an alert is on', () => {
  let clock: Clock;
  let engine: Engine;
  beforeEach(() => {
    clock = new Clock();
    engine = boot(clock);
  });
  const retried = { ...deviceAction, action: { ...deviceAction.action, retry: 'always' as const } };
  const start = (
    more: Partial<typeof about & { retryAlert: RetryAlert }> = {},
    deviceActions: (typeof deviceAction)[] = [retried],
  ) => engine.start({ ...about, retryAlert: true, ...more }, deviceActions);
  const answer = (answers: readonly (Answer | Ticket)[], result: SendResult) => {
    for (const one of answers) {
      const ticket = 'output' in one ? one : one.ticket;
      if (ticket) engine.answered(ticket, result);
    }
  };
  const words = (tickets: readonly Ticket[]) => tickets.map(({ kind, alert }) => `${kind} ${alert}`);
  /** What is sent when there is something to do next. */
  const next = () => {
    if (engine.nextAt === Number.POSITIVE_INFINITY) return [];
    clock.ms = Math.max(clock.ms, engine.nextAt);
    return engine.due();
  };
  const lists = (id = 'a') => {
    const { active, unknown, failed } = engine.state(id) ?? ({} as AlertState);
    return { active, unknown, failed };
  };

  it('is tried again after 1 s, and every 30 s in the end, until it takes it', () => {
    answer(start(), 'missed');
    assert.deepEqual(lists(), { active: [], unknown: [], failed: ['D'] });
    const pauses: number[] = [];
    for (let count = 0; count < 7; count += 1) {
      const before = clock.ms;
      const again = next();
      assert.deepEqual(words(again), ['again a']);
      pauses.push(clock.ms - before);
      answer(again, 'missed');
    }
    assert.deepEqual(pauses, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    answer(next(), 'taken');
    assert.deepEqual(lists(), { active: ['D'], unknown: [], failed: [] });
    assert.deepEqual(next(), []);
  });

  it('has its light again after the stop of another alert, whose start it never took', () => {
    answer(start(), 'taken');
    const other = start({ id: 'b', name: 'B' });
    const third = start({ id: 'c', name: 'C' });
    answer(other, 'missed');
    const stop = clearIn(engine, 'c');
    assert.deepEqual(words(stop), ['end c']);
    answer(third, 'missed');
    assert.deepEqual(clearIn(engine, 'b'), []);
    engine.returned(deviceAction.device);
    answer(stop, 'taken');
    const again = next();
    assert.deepEqual(words(again), ['return a']);
    answer(again, 'taken');
    assert.deepEqual(next(), []);
  });

  it('stays unknown while it is started once more, until that has an answer', () => {
    answer(start(), 'unknown');
    assert.deepEqual(lists(), { active: [], unknown: ['D'], failed: [] });
    const again = start();
    assert.deepEqual(lists(), { active: [], unknown: ['D'], failed: [] });
    answer(again, 'taken');
    assert.deepEqual(lists(), { active: ['D'], unknown: [], failed: [] });
  });

  it('is in the journal with one start, however many are under way', () => {
    for (let count = 0; count < 100; count += 1) start();
    const journal = kept(engine);
    const [output] = [...journal].flatMap(([key, value]) => (key.startsWith('alert/at/') ? [value] : []));
    assert.equal((output as { underWay: unknown[] }).underWay.length, 1);
    const later = boot(clock, journal);
    assert.deepEqual(later.state('a')?.unknown, ['D']);
  });

  it('is tried again, or no more, as a deploy says', () => {
    answer(start(), 'missed');
    engine.setRetry('a', false);
    assert.deepEqual([next(), lists().failed], [[], ['D']]);
    assert.equal(start({ id: 'b', priority: 1, retryAlert: false })[0]?.heldBy, undefined);
  });
});

describe('algo-alert and devices that come back', () => {
  let { site, wall, door } = {} as Place;
  eachWithPlace((output) => {
    ({ site, wall, door } = output);
  });

  it('starts a device that was off, and says so', async () => {
    const alert = alertNode([action('strobe/start'), action('screen/text-start')], { retryAlert: true });
    await site.start([wall.config({ retryFor: 0 }), door.config(), states, ...receiptLog(), alert]);
    await wall.close();
    const started = await site.ask(alert.id, { device: ['Wall', 'Cellar'], ttl: 0.5 });
    assert.deepEqual(alertOf(started).failed, ['Wall', 'Cellar']);
    await wall.open();
    const sure = () => site.inbox('log').map(({ payload }) => short(payload as Receipt));
    await site.until('both are on', () =>
      ['strobe/start', 'screen/text-start'].every((of) => sure().includes(`Wall ${of} accepted`)),
    );
    const { active, failed } = alertOf(await site.ask(alert.id, { operation: 'state' }));
    assert.deepEqual([active, failed], [['Wall'], ['Cellar']]);
    assert.deepEqual([...wall.operationNames].sort(), ['screen-text/start', 'strobe/start']);
    const cleared = await site.ask(alert.id, { operation: 'clear' });
    assert.deepEqual(receiptsOf(cleared).map(short).sort(), [
      'Wall screen/text-stop accepted',
      'Wall strobe/stop accepted',
    ]);
    await site.until('it is over', () => eventLinesOf(site, alert.name).at(-1) === 'cleared');
    assert.deepEqual(eventsBy(site, alert.name), ['started', 'reached', 'reached', 'cleared']);
  });

  it('tells the result of each start, and not of each retry', async () => {
    const alert = alertNode([action('strobe/start')], { retryAlert: true });
    await site.start([wall.config({ retryFor: 0 }), door.config(), states, ...receiptLog(), alert]);
    wall.behavior = () => 'reset';
    for (const device of ['Wall', 'Wall']) await site.ask(alert.id, { device });
    const told = () => site.inbox('log').map(({ payload }) => short(payload as Receipt));
    assert.deepEqual(told(), ['Wall strobe/start unknown', 'Wall strobe/start unknown']);
    wall.behavior = () => 200;
    await site.until('it is on', () => eventsBy(site, alert.name).includes('reached'));
    assert.deepEqual(told().slice(2), ['Wall strobe/start accepted']);
    // Its node tells the failure of a start, and the log that of a retry.
    const warned = helper
      .log()
      .args.filter(([entry]) => /which (?:starts|is retried),/.test(String(entry.msg)));
    assert.deepEqual(warned, []);
    await site.ask(alert.id, { operation: 'clear' });
  });

  it('tries no door, call or single tone again, and a relay only where it is asked to', async () => {
    const operations = ['door/unlock', 'call/start', 'relay/enable', 'relay/24v-enable', 'strobe/start'];
    const actions = [
      ...operations.map((operation) => action(operation)),
      action('tone/start', { loop: false }),
    ];
    const places = await Promise.all(
      ([true, 'all'] as const).map(async (retryAlert) => {
        const models = ['8410', '8063', '8301'];
        const devices = await Promise.all(
          models.map((model) => site.device(`${model} ${retryAlert}`, model)),
        );
        for (const device of devices) device.behavior = () => 503;
        return { devices, alert: alertNode(actions, { retryAlert }) };
      }),
    );
    const configs = places.flatMap(({ devices, alert }) => [
      ...devices.map((device) => device.config({ retryFor: 0 })),
      alert,
    ]);
    await site.start([...configs, states, ...receiptLog()]);
    const started = places.map(({ alert, devices }) =>
      site.ask(alert.id, { device: devices.map(({ name }) => name) }),
    );
    await Promise.all(started);
    const repeated = (place: (typeof places)[number], times = 1) =>
      place.devices.flatMap(({ operationNames: names }) =>
        names.filter((name, index) => names.slice(0, index).filter((one) => one === name).length === times),
      );
    // The second retry of one comes after the first of all others.
    await site.until('the strobes are tried again and again', () =>
      places.every((place) => repeated(place, 2).includes('strobe/start')),
    );
    assert.deepEqual(
      places.map((place) => [...new Set(repeated(place))].sort()),
      [['strobe/start'], ['24v/enable', 'relay/enable', 'strobe/start']],
    );
    const first = places[0]?.devices.flatMap(({ operationNames }) => operationNames) ?? [];
    for (const name of ['door/unlock', 'call/start', 'tone/start'])
      assert.ok(first.includes(name), first.join());
    for (const { devices, alert } of places) {
      for (const device of devices) device.behavior = () => 200;
      await site.ask(alert.id, { operation: 'clear' });
    }
  });
});
