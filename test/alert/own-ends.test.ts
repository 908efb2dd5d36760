import assert from 'node:assert/strict';
import type { NodeAPI } from 'node-red';
import { alertsOf } from '../../src/runtime/alert/alerts';
import { action, alertNode, alertOf, eachWithPlace, type Place, short, states } from '../fixtures/alert-node';
import { about, boot, Clock, clearIn, deviceAction, kept } from './engine-parts';

const brief = { ...deviceAction, action: { ...deviceAction.action, lastsMs: 10_000 } };

describe('an action that its device ends by itself', () => {
  it('is on for its time, and has to be cleared all the same', () => {
    const clock = new Clock();
    const engine = boot(clock);
    for (const { ticket } of engine.start(about, [brief])) if (ticket) engine.answered(ticket, 'taken');
    assert.equal(engine.nextAt, 10_000);
    clock.ms = 9_999;
    assert.deepEqual(engine.state('a')?.active, ['D']);
    clock.ms = 10_000;
    const { state, active, pending } = engine.state('a') ?? {};
    assert.deepEqual([state, active, pending], ['active', [], []]);
    assert.equal(engine.nextAt, Number.POSITIVE_INFINITY);
    assert.deepEqual(
      clearIn(engine, 'a').map(({ kind }) => kind),
      ['end'],
    );
  });

  it('starts again when its alert is started again', () => {
    const clock = new Clock();
    const engine = boot(clock);
    for (const ms of [0, 8_000]) {
      clock.ms = ms;
      for (const { ticket } of engine.start(about, [brief])) if (ticket) engine.answered(ticket, 'taken');
    }
    clock.ms = 10_000;
    assert.deepEqual([engine.nextAt, engine.state('a')?.active], [18_000, ['D']]);
    clock.ms = 18_000;
    assert.deepEqual(engine.state('a')?.active, []);
  });

  it('is over at the same time after a restart, and at the latest when it was on its way then', () => {
    const clock = new Clock();
    const engine = boot(clock);
    const other = { ...brief, deviceOutput: 'text' };
    const [answer] = engine.start(about, [brief, { ...other, device: { id: 'e', name: 'E' } }]);
    if (answer?.ticket) engine.answered(answer.ticket, 'taken');
    const journal = kept(engine);
    clock.ms = 4_000;
    const second = boot(clock, journal);
    assert.deepEqual([second.nextAt, second.state('a')?.active], [10_000, ['D']]);
    clock.ms = 10_000;
    assert.deepEqual([second.nextAt, second.state('a')?.active], [14_000, []]);
    clock.ms = 14_000;
    assert.deepEqual([second.state('a')?.active, second.state('a')?.unknown], [[], ['E']]);
  });

  describe('in a flow', () => {
    let { site, wall } = {} as Place;
    eachWithPlace((output) => {
      ({ site, wall } = output);
    });

    it('is not told as on when its time is over, whichever parameter says so', async () => {
      const speaker = await site.device('Speaker', '8301');
      const alert = alertNode([
        action('strobe/start', { duration: 1 }),
        action('screen/text-start', { duration: 1 }),
        action('screen/start', { stopAfter: 1 }),
        action('tone/start', { duration: 1 }),
      ]);
      const lasting = alertNode([action('strobe/start', { duration: 0 })]);
      const longer = alertNode([action('strobe/start', { duration: 300 })]);
      let RED: NodeAPI | undefined;
      const capture = (api: NodeAPI) => {
        RED = api;
      };
      const door = await site.device('Corridor', '8138');
      const stairs = await site.device('Stairs', '8138');
      const others = [speaker, door, stairs].map((device) => device.config());
      const configs = [wall.config(), ...others, states, alert, lasting, longer];
      await site.start(configs, {}, [capture]);
      assert.ok(RED);
      const alerts = alertsOf(RED);
      let look = () => {};
      // The node's status is made when it is told.
      const detach = alerts.attach(
        'onlooker',
        {
          state: () => assert.fail(),
          onChange: () => look(),
          onReached() {},
          onEnded() {},
          onUnacknowledged() {},
        },
        false,
      );
      await site.ask(lasting.id, { device: 'Corridor' });
      await site.ask(longer.id, { device: 'Stairs' });
      const started = await site.ask(alert.id, { device: ['Wall', 'Speaker'] });
      assert.deepEqual(alertOf(started).state, 'active');
      await new Promise<void>((resolve) => {
        look = () => {
          if (alerts.engine.state(alert.id)?.active.length === 0) resolve();
        };
        look();
      });
      detach();
      const alertState = alertOf(await site.ask(alert.id, { operation: 'state' }));
      assert.deepEqual([alertState.state, alertState.active], ['active', []]);
      assert.deepEqual(alertOf(await site.ask(lasting.id, { operation: 'state' })).active, ['Corridor']);
      const cleared = await site.ask(alert.id, { operation: 'clear' });
      assert.deepEqual((cleared.sent[0]?.receipts ?? []).map(short), [
        'Wall tone/stop accepted',
        'Wall screen/stop accepted',
        'Wall screen/text-stop accepted',
        'Wall strobe/stop accepted',
        'Speaker tone/stop accepted',
      ]);
      assert.deepEqual(alertOf(await site.ask(longer.id, { operation: 'state' })).active, ['Stairs']);
      for (const { id } of [lasting, longer]) await site.ask(id, { operation: 'clear' });
    });
  });
});
