import assert from 'node:assert/strict';
import type { Acknowledgement } from '../../src/runtime/alert/alert';
import type { Engine } from '../../src/runtime/alert/engine';
import type { AlertNews } from '../../src/runtime/alert/events';
import { readAcknowledgement, readSettings } from '../../src/runtime/alert/properties';
import { action, alertNode, alertOf, eachWithPlace, eventsBy, type Place } from '../fixtures/alert-node';
import type { NodeConfig } from '../fixtures/flow';
import { caughtOf, receiptsOf, type Way } from '../fixtures/site';
import { about, boot, Clock, clearIn, deviceAction, kept } from './engine-parts';

describe('algo-alert: acknowledgement', () => {
  let { site, wall } = {} as Place;
  // An alert that is on would be cleared in the next test, whose devices have the same names.
  const alerts: NodeConfig[] = [];
  afterEach(async () => {
    wall.behavior = () => 200;
    for (const { id, name } of alerts.splice(0)) {
      const way = await site.ask(id, { operation: 'clear' });
      if (alertOf(way).state !== 'idle')
        await site.until('it is over', () => eventsBy(site, name).at(-1) === 'cleared');
    }
  });
  const begin = eachWithPlace((place) => {
    ({ site, wall } = place);
  });
  const flow = (...nodes: NodeConfig[]) => {
    alerts.push(...nodes.filter(({ type }) => type === 'algo-alert'));
    return begin(...nodes);
  };
  const atWall = { device: 'Wall' };
  const flash = [action('strobe/start')];
  const names = (way: Way) => alertOf(way).acknowledged.map(({ by, answer }) => [by, answer]);
  const newsOf = (topic: unknown) =>
    site
      .inbox('states')
      .flatMap((message) => (message.topic === topic ? [message.payload as AlertNews] : []));

  it('records each person once, sends nothing, clears nothing, and goes on without receipts', async () => {
    const alert = alertNode(flash);
    await flow(alert);
    await site.ask(alert.id, { ...atWall, by: 'Ms Lee' });
    const heard = wall.operationNames.length;
    const way = await site.ask(alert.id, {
      operation: 'acknowledge',
      by: 'Mr Rao',
      answer: 'safe',
      payload: 7,
    });
    assert.deepEqual([receiptsOf(way), caughtOf(way), way.sent[0]?.payload], [[], [], 7]);
    const { state, by, clearedBy, acknowledged } = alertOf(way);
    assert.deepEqual([state, by, clearedBy], ['active', 'Ms Lee', null]);
    const [{ at, ...first }] = acknowledged as [Acknowledgement];
    assert.deepEqual([first, new Date(at).toISOString()], [{ by: 'Mr Rao', answer: 'safe' }, at]);
    await site.ask(alert.id, { operation: 'acknowledge', by: 'Ms Ito' });
    const again = await site.ask(alert.id, { operation: 'acknowledge', by: 'Mr Rao', answer: 'hurt' });
    assert.deepEqual(names(again), [
      ['Mr Rao', 'hurt'],
      ['Ms Ito', undefined],
    ]);
    assert.equal(alertOf(again).acknowledged[0]?.at, at);
    assert.equal(wall.operationNames.length, heard);
    assert.deepEqual(eventsBy(site, alert.name), ['started', ...Array(3).fill('acknowledged')]);
    assert.deepEqual(newsOf(alert.name).at(-1)?.acknowledged, alertOf(again).acknowledged);
  });

  it('is kept by a start while the alert is on, and by the clear, and dropped by the next start', async () => {
    const alert = alertNode(flash);
    await flow(alert);
    await site.ask(alert.id, { ...atWall, by: 'Ms Lee' });
    await site.ask(alert.id, { operation: 'acknowledge', by: 'Mr Rao' });
    const updated = await site.ask(alert.id, { ...atWall, by: 'Ms Ito' });
    assert.deepEqual([names(updated), alertOf(updated).by], [[['Mr Rao', undefined]], 'Ms Lee']);
    const cleared = await site.ask(alert.id, { operation: 'clear', by: 'Ms Ito' });
    const { state, by, clearedBy } = alertOf(cleared);
    assert.deepEqual([state, by, clearedBy, names(cleared).length], ['idle', 'Ms Lee', 'Ms Ito', 1]);
    const idle = alertOf(await site.ask(alert.id, { operation: 'state' }));
    assert.deepEqual([idle.by, idle.clearedBy, idle.acknowledged.length], ['Ms Lee', 'Ms Ito', 1]);
    const next = alertOf(await site.ask(alert.id, atWall));
    assert.deepEqual([next.by, next.clearedBy, next.acknowledged], [null, null, []]);
  });

  it('is dropped by a start while the alert is clearing, which tells no end', async () => {
    const alert = alertNode(flash);
    await flow(alert);
    await site.ask(alert.id, { ...atWall, by: 'Ms Lee' });
    await site.ask(alert.id, { operation: 'acknowledge', by: 'Mr Rao' });
    wall.behavior = ({ operationName }) => (operationName.endsWith('/stop') ? 503 : 200);
    await site.ask(alert.id, { operation: 'clear', by: 'Ms Ito' });
    const again = alertOf(await site.ask(alert.id, { ...atWall, by: 'Dr Eze' }));
    assert.deepEqual(
      [again.state, again.by, again.clearedBy, again.acknowledged],
      ['active', 'Dr Eze', null, []],
    );
    assert.deepEqual(eventsBy(site, alert.name), ['started', 'acknowledged', 'started']);
  });

  it('needs an alert that is on, and not one that is clearing', async () => {
    const alert = alertNode(flash);
    await flow(alert);
    const refused = async () => {
      const way = await site.ask(alert.id, { operation: 'acknowledge', by: 'Mr Rao' });
      assert.deepEqual([caughtOf(way), way.sent], [['INVALID_PARAMETER'], []]);
      return String(way.caught[0]?.error?.message);
    };
    assert.match(await refused(), /it is not on/);
    await site.ask(alert.id, atWall);
    wall.behavior = ({ operationName }) => (operationName.endsWith('/stop') ? 503 : 200);
    await site.ask(alert.id, { operation: 'clear' });
    assert.match(await refused(), /it is being cleared/);
    assert.deepEqual(alertOf(await site.ask(alert.id, { operation: 'state' })).acknowledged, []);
  });

  const scream = () => {
    throw new Error('no text of this');
  };
  for (const by of [undefined, null, '', 'x'.repeat(201), 7, { name: 'Ms Lee' }, ['Ms Lee']]) {
    it(`is refused without a person: ${JSON.stringify(by)?.slice(0, 20)}`, async () => {
      const alert = alertNode(flash);
      await flow(alert);
      await site.ask(alert.id, atWall);
      const way = await site.ask(alert.id, { operation: 'acknowledge', by, answer: 'safe' });
      assert.deepEqual([caughtOf(way), way.sent], [['INVALID_PARAMETER'], []]);
      assert.match(String(way.caught[0]?.error?.message), /msg\.by is required to acknowledge an alert/);
      assert.deepEqual(alertOf(await site.ask(alert.id, { operation: 'state' })).acknowledged, []);
    });
  }

  for (const answer of ['x'.repeat(201), 7, null, {}, ['safe'], true, { toString: scream }]) {
    it(`is refused with an answer that is no text of at most 200 characters: ${typeof answer}`, () => {
      assert.throws(() => readAcknowledgement({ by: 'Ms Lee', answer }), {
        code: 'INVALID_PARAMETER',
        message:
          /^msg\.answer must be text of at most 200 characters: alert; got .{0,120}; nothing was sent$/s,
      });
    });
  }

  for (const text of ['x'.repeat(200), '', '__proto__', '<b>"</b>', '\u202eeeL\u0000\n', '\ud800']) {
    it(`takes the answer as it is: ${JSON.stringify(text).slice(0, 20)}`, async () => {
      const alert = alertNode(flash);
      await flow(alert);
      await site.ask(alert.id, atWall);
      const by = text || 'Ms Lee';
      const way = await site.ask(alert.id, { operation: 'acknowledge', by, answer: text });
      assert.deepEqual(names(way), [[by, text]]);
    });
  }

  for (const within of [0, '0', -1, ' ', 'soon', 31_536_001, Number.POSITIVE_INFINITY, true, {}]) {
    it(`is refused within ${JSON.stringify(within)}`, () => {
      assert.throws(
        () => readSettings({ actions: flash, acknowledgeWithin: within }),
        /acknowledgeWithin must be a number/,
      );
    });
  }

  it('is asked for within seconds', () => {
    const msOf = (acknowledgeWithin: string) =>
      readSettings({ actions: flash, acknowledgeWithin }).acknowledgeWithinMs;
    assert.deepEqual([msOf('0.2'), msOf('')], [200, undefined]);
  });

  it('sends nothing of a start whose `acknowledgeWithin` is no time', async () => {
    const alert = alertNode(flash, { acknowledgeWithin: 'soon' });
    await flow(alert);
    const way = await site.ask(alert.id, atWall);
    assert.deepEqual([caughtOf(way), wall.operationNames], [['INVALID_PARAMETER'], []]);
    assert.deepEqual((await site.ask(alert.id, { operation: 'report' })).sent[0]?.payload, []);
  });

  it('that does not come in time is told once by the second output', async () => {
    const alert = alertNode(flash, { acknowledgeWithin: '0.2' });
    await flow(alert);
    await site.ask(alert.id, { ...atWall, by: 'Ms Lee' });
    await site.until('nobody came', () => eventsBy(site, alert.name).includes('unacknowledged'));
    const { by, state, acknowledged } = newsOf(alert.name).at(-1) as AlertNews;
    assert.deepEqual([by, state, acknowledged], ['Ms Lee', 'active', []]);
    await site.ask(alert.id, atWall);
    await site.ask(alert.id, { operation: 'clear' });
    await site.until('it is over', () => eventsBy(site, alert.name).includes('cleared'));
    assert.deepEqual(eventsBy(site, alert.name), ['started', 'unacknowledged', 'updated', 'cleared']);
  });
});

describe('algo-alert: the time of an acknowledgement', () => {
  let clock: Clock;
  let engine: Engine;
  beforeEach(() => {
    clock = new Clock();
    engine = boot(clock);
  });
  const start = (more: object = {}) =>
    engine.start({ ...about, acknowledgeWithinMs: 5_000, ...more }, [deviceAction]);
  const acknowledge = (by = 'Ms Lee') => engine.acknowledge('a', { by, at: 'now' });
  /** When the engine says that nobody came, until then. */
  const missed = (until: number) => {
    const times: number[] = [];
    while (engine.nextAt <= until) {
      clock.ms = Math.max(clock.ms, engine.nextAt);
      if (engine.unacknowledged().length > 0) times.push(clock.ms);
      else engine.due();
    }
    clock.ms = until;
    return times;
  };
  const restart = () => {
    engine = boot(clock, kept(engine));
  };

  it('is over once for each alert', () => {
    start();
    assert.deepEqual(missed(60_000), [5_000]);
  });

  it('does not begin again with a start while the alert is on', () => {
    start();
    clock.ms = 3_000;
    start();
    assert.deepEqual(missed(4_000), []);
    assert.deepEqual(missed(60_000), [5_000]);
    start();
    assert.deepEqual(missed(120_000), []);
  });

  it('begins again with the next alert, also while the last one is clearing', () => {
    start();
    clock.ms = 4_000;
    clearIn(engine, 'a');
    assert.deepEqual(engine.state('a')?.state, 'clearing');
    start();
    assert.deepEqual(missed(60_000), [9_000]);
  });

  it('is not over when a person came, nor after the clear, nor without `acknowledgeWithin`', () => {
    start();
    assert.equal(acknowledge(), undefined);
    assert.deepEqual(missed(60_000), []);
    engine = boot(clock);
    start();
    clearIn(engine, 'a');
    assert.deepEqual(missed(120_000), []);
    engine = boot(clock);
    start({ acknowledgeWithinMs: undefined });
    assert.deepEqual(missed(180_000), []);
  });

  it('goes on over a restart, and is over after it where it has passed meanwhile', () => {
    start();
    clock.ms = 2_000;
    restart();
    assert.deepEqual(missed(4_000), []);
    assert.deepEqual(missed(60_000), [5_000]);
    engine = boot(clock);
    start();
    clock.ms = 90_000;
    restart();
    assert.deepEqual(missed(91_000), [90_000]);
    restart();
    assert.deepEqual(missed(200_000), []);
  });

  it('is not longer after a restart, even if the clock was set back meanwhile', () => {
    clock.ms = 100_000;
    start();
    clock.ms = 0;
    restart();
    assert.deepEqual(missed(60_000), [5_000]);
  });

  it('is kept, with who acknowledged, over a restart', () => {
    start();
    acknowledge();
    restart();
    assert.deepEqual(engine.state('a')?.acknowledged, [{ by: 'Ms Lee', at: 'now' }]);
    assert.deepEqual(missed(60_000), []);
  });

  it('counts for 500 persons, whose answers may still change', () => {
    start();
    for (let count = 0; count < 500; count += 1) assert.equal(acknowledge(`Person ${count}`), undefined);
    assert.equal(acknowledge('Person 500'), 'full');
    assert.equal(engine.acknowledge('a', { by: 'Person 7', at: 'later', answer: 'safe' }), undefined);
    const { acknowledged = [] } = engine.state('a') ?? {};
    assert.deepEqual(
      [acknowledged.length, acknowledged[7]],
      [500, { by: 'Person 7', at: 'now', answer: 'safe' }],
    );
  });
});
