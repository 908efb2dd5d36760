import assert from 'node:assert/strict';
import type { NodeAPI } from 'node-red';
import { alertsOf } from '../../src/runtime/alert/alerts';
import { alertNamed } from '../../src/runtime/alert/named-alert';
import { journalOf } from '../../src/runtime/journal/shared-journal';
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
import { statusesOf } from '../fixtures/flow';
import { act, caughtOf, outcomesOf, receiptLog, receiptsOf } from '../fixtures/site';

describe('algo-alert: what it tells, and in which order', () => {
  let { site, wall, door } = {} as Place;
  const flow = eachWithPlace((output) => {
    ({ site, wall, door } = output);
  });
  const toWall = { target: 'device', device: 'wall' };
  const slow = {
    operation: 'screen/text-start',
    form: { textContent: { type: 'jsonata', value: '"Slow"' } },
  };

  it('sends nothing of a start before the disk has it, nor of one that comes back', async () => {
    const alert = alertNode([action('strobe/start')], toWall);
    const milder = alertNode([action('strobe/start')], { ...toWall, priority: 1 });
    let RED: NodeAPI | undefined;
    const more = [alert, milder, act('relay/enable', { target: 'device', device: 'door' })];
    await site.start([wall.config(), door.config(), states, ...more], {}, [
      (api: NodeAPI) => {
        RED = api;
      },
    ]);
    assert.ok(RED);
    const journal = journalOf(RED);
    const batch = journal.batch.bind(journal);
    let write = () => {};
    const fill = () => {
      const disk = new Promise<void>((resolve) => {
        write = resolve;
      });
      journal.batch = async (change) => {
        void batch(change);
        await disk;
      };
    };
    try {
      for (const message of [{}, { operation: 'clear' }]) {
        fill();
        const way = site.send(alert.id, message);
        const sent = wall.operationNames.length;
        // Whatever is sent at once is there before what is asked after it.
        for (let count = 0; count < 3; count += 1) await site.ask('relay/enable');
        assert.equal(wall.operationNames.length, sent);
        write();
        assert.deepEqual(outcomesOf(await site.ended(way)), ['Wall accepted']);
        await site.ask(milder.id);
      }
    } finally {
      write();
      journal.batch = batch;
    }
    assert.deepEqual(wall.operationNames, ['strobe/start', 'strobe/start', 'strobe/start']);
    await site.ask(milder.id, { operation: 'clear' });
  });

  it('tells the same by both outputs, leaves the rest of the message alone, and logs what is held back', async () => {
    const fire = alertNode([action('strobe/start')], { ...toWall, priority: 9 });
    const alert = alertNode([action('strobe/start')], { ...toWall, drill: true, name: '' });
    await flow(fire, alert);
    await site.ask(fire.id);
    const way = await site.ask(alert.id, { payload: { any: 1 } });
    assert.deepEqual(way.sent[0]?.payload, { any: 1 });
    // Without a name it goes by its id.
    await site.until('it is told', () => eventLinesOf(site, alert.id).length > 0);
    const [event] = site.inbox('states').filter(({ topic }) => topic === alert.id);
    assert.deepEqual(event?.payload, { ...alertOf(way), event: 'started' });
    assert.deepEqual([alertOf(way).name, alertOf(way).drill], [alert.id, true]);
    const log = site.inbox('log').map(({ payload }) => payload as Receipt & { nodeId: string });
    assert.deepEqual(
      log.map((one) => [one.nodeId, one.outcome, one.drill ?? false]),
      [
        [fire.id, 'accepted', false],
        [alert.id, 'skipped', true],
      ],
    );
    for (const { id } of [alert, fire]) await site.ask(id, { operation: 'clear' });
  });

  it('tells that it is on before it is told that it is cleared, however soon that comes', async () => {
    const alert = alertNode([action('strobe/start')], toWall);
    await flow(alert);
    wall.behavior = () => 'hold';
    const started = site.send(alert.id);
    await site.until('it is under way', () => wall.held.length > 0);
    const cleared = site.send(alert.id, { operation: 'clear' });
    await site.until('it is being cleared', () => eventLinesOf(site, alert.name).at(-1) === 'pending Wall');
    wall.releaseAll();
    await Promise.all([site.ended(started), site.ended(cleared)]);
    await site.until('it is over', () => eventLinesOf(site, alert.name).at(-1) === 'cleared');
    assert.deepEqual(eventLinesOf(site, alert.name), ['started', 'pending Wall', 'cleared']);
  });

  it('tells what is so after a moment, and what follows, where a device hangs', async () => {
    const alert = alertNode([action('strobe/start')], toWall);
    await flow(alert);
    wall.behavior = () => 'hold';
    const started = site.send(alert.id);
    await site.until('it is told', () => eventLinesOf(site, alert.name).at(-1) === 'started');
    assert.equal(started.isEnded, false);
    wall.releaseAll();
    assert.deepEqual(outcomesOf(await site.ended(started)), ['Wall accepted']);
    await site.ask(alert.id, { operation: 'clear' });
    await site.until('it is over', () => eventLinesOf(site, alert.name).at(-1) === 'cleared');
    assert.deepEqual(eventsBy(site, alert.name), ['started', 'cleared']);
  });

  it('says what is so when its turn comes, and keeps its place before what comes later', async () => {
    const alert = alertNode([slow], toWall);
    const other = act('screen/text-start', {
      ...{ ...toWall, duringAlert: true },
      given: { textContent: 'Later' },
    });
    await flow(alert, other);
    const ways = [site.send(alert.id), site.send(alert.id, { operation: 'state' }), site.send(other.id)];
    for (const way of ways) await site.ended(way);
    assert.equal(ways[1] && alertOf(ways[1]).state, 'active');
    assert.deepEqual(
      wall.requests.map(({ parameters }) => parameters.textContent),
      ['Slow', 'Later'],
    );
    await site.ask(alert.id, { operation: 'clear' });
  });

  it('goes by its new name after a deploy', async () => {
    const alert = alertNode([action('strobe/start')], toWall);
    await flow(alert);
    await site.ask(alert.id);
    const renamed = { ...alert, name: 'Renamed' };
    await site.redeploy([wall.config(), door.config(), states, ...receiptLog(), renamed]);
    assert.equal(alertOf(await site.ask(alert.id, { operation: 'state' })).name, 'Renamed');
    assert.equal(alertNamed('Renamed').state().state, 'active');
    await site.ask(alert.id, { operation: 'clear' });
  });

  it('gives the place of what is held back to others, however often it is', async () => {
    const fire = alertNode([action('strobe/start')], { ...toWall, priority: 9 });
    const alert = alertNode([action('strobe/start')], toWall);
    const others = [alert, act('screen/start', toWall), act('screen/text-start', toWall)];
    await site.start([wall.config({ queueLimit: 1 }), states, fire, ...others]);
    await site.ask(fire.id);
    for (let count = 0; count < 3; count += 1) await site.ask(alert.id);
    wall.behavior = ({ operationName: of }) => (of === 'screen/start' ? 'hold' : 200);
    const first = site.send('screen/start');
    await site.until('the device is busy', () => wall.held.length > 0);
    const second = site.send('screen/text-start');
    wall.releaseAll();
    assert.deepEqual(
      [outcomesOf(await site.ended(first)), outcomesOf(await site.ended(second))],
      [['Wall accepted'], ['Wall accepted']],
    );
    for (const { id } of [alert, fire]) await site.ask(id, { operation: 'clear' });
  });

  it('shows what is wrong with a message, but never in the place of an alert that is on', async () => {
    const alert = alertNode([action('strobe/start')], toWall);
    const marker = act('relay/enable', { target: 'device', device: 'door', endAfter: 1.1 });
    await flow(alert, marker);
    await site.ask(alert.id, { operation: 'stop' });
    const wrongs = () =>
      statusesOf(alert.id).filter(({ text }) => /^msg\.operation must be one of /.test(String(text))).length;
    assert.equal(wrongs(), 1);
    await site.ask(alert.id);
    assert.deepEqual(caughtOf(await site.ask(alert.id, { operation: 'stop' })), ['INVALID_PARAMETER']);
    // What is shown at all is shown within a second.
    await site.ask(marker.id);
    await site.until('a later end has come', () => door.operationNames.includes('relay/disable'));
    assert.equal(wrongs(), 1);
    await site.ask(alert.id, { operation: 'clear' });
  });

  it('counts what it was to reach, also what there is not', async () => {
    const alert = alertNode([action('strobe/start')]);
    let RED: NodeAPI | undefined;
    await site.start([wall.config(), states, alert], {}, [
      (api: NodeAPI) => {
        RED = api;
      },
    ]);
    for (let count = 0; count < 2; count += 1)
      await site.ask(alert.id, { device: ['Wall', 'Attic', 'Cellar'] });
    assert.equal(RED && alertsOf(RED).reachOf(alert.id), 3);
    assert.deepEqual(receiptsOf(await site.ask(alert.id, { operation: 'clear' })).map(short), [
      'Wall strobe/stop accepted',
    ]);
  });
});
