import assert from 'node:assert/strict';
import {
  action,
  alertNode,
  alertOf,
  eachWithPlace,
  eventLinesOf,
  type Place,
  short,
} from '../fixtures/alert-node';
import { caughtOf, receiptsOf } from '../fixtures/site';
import { about, boot, Clock, clearIn, deviceAction, kept } from './engine-parts';

describe('algo-alert: what else is promised', () => {
  let { site, wall, door } = {} as Place;
  const flow = eachWithPlace((output) => {
    ({ site, wall, door } = output);
  });

  // By their routes, as docs/interface.md has them.
  for (const [operation, start, end, model] of [
    ['tone/start', 'tone/start', 'tone/stop', '8301'],
    ['strobe/start', 'strobe/start', 'strobe/stop', '8138'],
    ['screen/start', 'screen/start', 'screen/stop', '8410'],
    ['screen/text-start', 'screen-text/start', 'screen-text/stop', '8410'],
    ['emergency/start', 'emergency-alert/start', 'emergency-alert/stop', '8301'],
    ['relay/enable', 'relay/enable', 'relay/disable', '8063'],
    ['relay/24v-enable', '24v/enable', '24v/disable', '8063'],
    ['door/unlock', 'door/unlock', 'door/lock', '8063'],
    ['call/start', 'call/start', 'call/stop', '8301'],
  ] as const) {
    it(`starts ${operation}, and ends it`, async () => {
      const device = await site.device('Any', model);
      const alert = alertNode([action(operation)]);
      await site.start([device.config(), { id: 'states', type: 'helper', z: 'tab', x: 1, y: 1 }, alert]);
      assert.deepEqual(receiptsOf(await site.ask(alert.id, { device: 'Any' })).map(short), [
        `Any ${operation} accepted`,
      ]);
      assert.deepEqual(device.operationNames, [start]);
      await site.ask(alert.id, { operation: 'clear' });
      assert.deepEqual(device.operationNames, [start, end]);
    });
  }

  it('has priority 5 by default, and reads one of the message only if priorityType is msg', async () => {
    const [usual, own, asked] = [
      alertNode([action('strobe/start')], { priority: '' }),
      alertNode([action('strobe/start')], { priority: '7' }),
      alertNode([action('strobe/start')], { priority: 'payload.level', priorityType: 'msg' }),
    ];
    await flow(usual, own, asked);
    const priority = async ({ id }: { id: string }, more = {}) =>
      alertOf(await site.ask(id, { device: 'Wall', ...more })).priority;
    const level = (value: unknown) => ({ payload: { level: value } });
    assert.deepEqual(
      [await priority(usual), await priority(own), await priority(own, { priority: 2.5, severity: 1 })],
      [5, 7, 7],
    );
    assert.deepEqual([await priority(asked, level(2.5)), await priority(asked, level('0'))], [2.5, 0]);
    assert.equal(await priority(asked, { priority: 9 }), 5);
    for (const { id } of [usual, own, asked]) await site.ask(id, { operation: 'clear' });
  });

  it('sends everything at once: a device that hangs keeps no other waiting', async () => {
    const alert = alertNode([action('strobe/start'), action('relay/enable')]);
    await flow(alert);
    wall.behavior = () => 'hold';
    const way = site.send(alert.id, { device: ['Wall', 'Door'] });
    await site.until('the door has its action', () => door.operationNames.includes('relay/enable'));
    assert.equal(way.isEnded, false);
    await site.until('the wall has its action', () => wall.held.length > 0);
    wall.releaseAll();
    assert.deepEqual(
      receiptsOf(await site.ended(way))
        .map(short)
        .slice(0, 2),
      ['Wall strobe/start accepted', 'Wall relay/enable skipped'],
    );
    await site.ask(alert.id, { operation: 'clear' });
  });

  it('sends what is too late for a ttl not at all, and is not on there', async () => {
    const alert = alertNode([action('strobe/start')]);
    const page = alertNode([action('screen/text-start'), action('screen/start')]);
    await flow(alert, page);
    wall.behavior = () => 'hold';
    const first = site.send(page.id, { device: 'Wall' });
    await site.until('both connections are busy', () => wall.held.length === 2);
    const late = await site.ask(alert.id, { device: 'Wall', ttl: 0.05 });
    assert.deepEqual(
      [receiptsOf(late).map(short), caughtOf(late)],
      [['Wall strobe/start expired'], ['EXPIRED']],
    );
    wall.releaseAll();
    await site.ended(first);
    assert.deepEqual(alertOf(await site.ask(alert.id, { operation: 'state' })).active, []);
    await site.ask(alert.id, { operation: 'clear' });
    await site.ask(page.id, { operation: 'clear' });
    const isOfStrobe = (name: string) => name.startsWith('strobe/');
    assert.deepEqual(wall.operationNames.filter(isOfStrobe), []);
  });

  it('is cleared ahead of whatever waits at a device', async () => {
    const alert = alertNode([action('relay/enable')]);
    const others = alertNode([action('door/unlock'), action('call/start'), action('relay/24v-enable')], {
      drill: true,
    });
    await flow(alert, others);
    await site.ask(alert.id, { device: 'Door' });
    door.behavior = ({ operationName: of }) => (of === 'relay/disable' ? 200 : 'hold');
    const way = site.send(others.id, { device: 'Door' });
    await site.until('the first of the others is under way', () => door.held.length > 0);
    const cleared = await site.ask(alert.id, { operation: 'clear' });
    assert.deepEqual(receiptsOf(cleared).map(short), ['Door relay/disable accepted']);
    assert.equal(door.held.length, 1);
    door.releaseAll();
    await site.ended(way);
    await site.ask(others.id, { operation: 'clear' });
  });

  it("leaves an action's own end to the device, and its own to Node-RED", async () => {
    const alert = alertNode([action('strobe/start', { duration: 3_600 })], { endAfter: 3 });
    await flow(alert);
    await site.ask(alert.id, { device: 'Wall' });
    assert.equal(
      wall.requests.find((one) => one.operationName === 'strobe/start')?.parameters.duration,
      3_600,
    );
    await site.until('it is cleared', () => eventLinesOf(site, alert.name).at(-1) === 'cleared');
    assert.deepEqual(wall.operationNames, ['strobe/start', 'strobe/stop']);
  });
});

describe("what an alert's engine says of time", () => {
  it('asks for pending commands ever more rarely, and every half minute in the end', () => {
    const clock = new Clock();
    const engine = boot(clock);
    for (const { ticket } of engine.start(about, [deviceAction]))
      if (ticket) engine.answered(ticket, 'taken');
    let [ticket] = clearIn(engine, 'a');
    const pauses: number[] = [];
    for (let count = 0; count < 9; count += 1) {
      assert.ok(ticket);
      engine.answered(ticket, 'missed');
      pauses.push(engine.nextAt - clock.ms);
      clock.ms = engine.nextAt;
      [ticket] = engine.due();
    }
    assert.deepEqual(pauses, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000, 30_000]);
  });

  it('counts its time again when an alert is started again', () => {
    const clock = new Clock();
    const engine = boot(clock);
    engine.start({ ...about, endAfterMs: 10_000 }, [deviceAction]);
    clock.ms = 8_000;
    engine.start({ ...about, endAfterMs: 10_000 }, [deviceAction]);
    clock.ms = 17_999;
    assert.deepEqual(engine.overdue(), []);
    clock.ms = 18_000;
    assert.deepEqual(engine.overdue(), ['a']);
    engine.start(about, [deviceAction]);
    assert.deepEqual(engine.overdue(), []);
  });

  it('is not on for longer where the clock of the machine has gone back before a restart', () => {
    const clock = new Clock();
    const engine = boot(clock);
    engine.start({ ...about, endAfterMs: 10_000 }, [deviceAction]);
    const back = new Clock();
    back.now = () => -3_600_000;
    const second = boot(back, kept(engine));
    back.ms = 9_999;
    assert.deepEqual(second.overdue(), []);
    back.ms = 10_000;
    assert.deepEqual(second.overdue(), ['a']);
  });

  it('counts every target that it was to reach since it is on', () => {
    const engine = boot(new Clock());
    engine.start(about, [deviceAction]);
    engine.start({ ...about, targets: ['e', 'f'] }, [deviceAction]);
    assert.deepEqual(engine.alerts.get('a')?.targets, ['d', 'e', 'f']);
  });

  it('heeds the smallest number of devices at once that its starts have named', () => {
    const engine = boot(new Clock());
    engine.start({ ...about, maxParallel: 3 }, [deviceAction]);
    engine.start({ ...about, maxParallel: 50 }, [deviceAction]);
    assert.equal(engine.alerts.get('a')?.maxParallel, 3);
  });
});
