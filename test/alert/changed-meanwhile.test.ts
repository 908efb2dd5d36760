import assert from 'node:assert/strict';
import { alertNamed } from '../../src/runtime/alert/named-alert';
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
import { caughtOf, receiptLog, receiptsOf } from '../fixtures/site';

describe('algo-alert: what changes while it is on', () => {
  let { site, wall, door } = {} as Place;
  const flow = eachWithPlace((output) => {
    ({ site, wall, door } = output);
  });
  const group = (...devices: string[]) => ({ id: 'all', type: 'algo-group', name: 'All', devices });
  const toAll = { target: 'group', group: 'all' };
  const textOf = { operation: 'screen/text-start', form: { textContent: { type: 'msg', value: 'text' } } };
  const nodes = (...more: object[]) =>
    [wall.config(), door.config(), states, ...receiptLog(), ...more] as never;

  it('is ended at a device that a deploy has taken out of its group', async () => {
    const alert = alertNode([action('strobe/start'), action('relay/enable')], toAll);
    await site.start(nodes(group('wall', 'door'), alert));
    await site.ask(alert.id);
    await site.redeploy(nodes(group('wall'), alert));
    assert.deepEqual(receiptsOf(await site.ask(alert.id, { operation: 'clear' })).map(short), [
      'Wall strobe/stop accepted',
      'Door relay/disable accepted',
    ]);
  });

  it('is started by an update at a device that a deploy has put into its group, and ended there', async () => {
    const alert = alertNode([action('strobe/start'), action('relay/enable')], toAll);
    await site.start(nodes(group('wall'), alert));
    await site.ask(alert.id);
    await site.redeploy(nodes(group('wall', 'door'), alert));
    assert.deepEqual(door.operationNames, []);
    assert.deepEqual(alertOf(await site.ask(alert.id)).active, ['Wall', 'Door']);
    await site.ask(alert.id, { operation: 'clear' });
    assert.deepEqual(
      [wall.operationNames.at(-1), door.operationNames],
      ['strobe/stop', ['relay/enable', 'relay/disable']],
    );
  });

  it('ends what it has started, and not what a deploy has made its actions', async () => {
    const alert = alertNode([action('strobe/start'), action('screen/text-start')], toAll);
    const changed = {
      ...alert,
      actions: [action('relay/enable'), action('screen/text-start', { textContent: 'New' })],
    };
    await site.start(nodes(group('wall', 'door'), alert));
    await site.ask(alert.id);
    await site.redeploy(nodes(group('wall', 'door'), changed));
    assert.deepEqual(receiptsOf(await site.ask(alert.id, { operation: 'clear' })).map(short), [
      'Wall screen/text-stop accepted',
      'Wall strobe/stop accepted',
    ]);
    assert.deepEqual(door.operationNames, []);
  });

  it('ends also what only the actions before an update had', async () => {
    const alert = alertNode([action('strobe/start'), action('screen/text-start')], toAll);
    const changed = { ...alert, actions: [action('screen/text-start', { textContent: 'New' })] };
    await site.start(nodes(group('wall'), alert));
    await site.ask(alert.id);
    await site.redeploy(nodes(group('wall'), changed));
    await site.ask(alert.id);
    assert.equal(wall.requests.at(-1)?.parameters.textContent, 'New');
    const cleared = receiptsOf(await site.ask(alert.id, { operation: 'clear' })).map(short);
    assert.deepEqual(cleared.sort(), ['Wall screen/text-stop accepted', 'Wall strobe/stop accepted']);
  });

  it('comes back with the text of its last update, though it was held back then', async () => {
    const [fire, weather] = [alertNode([textOf], { priority: 9 }), alertNode([textOf], { priority: 3 })];
    await flow(fire, weather);
    await site.ask(weather.id, { device: 'Wall', text: 'Rain' });
    await site.ask(fire.id, { device: 'Wall', text: 'Fire' });
    assert.deepEqual(receiptsOf(await site.ask(weather.id, { device: 'Wall', text: 'Hail' })).map(short), [
      'Wall screen/text-start skipped',
    ]);
    await site.ask(fire.id, { operation: 'clear' });
    assert.deepEqual(
      wall.requests.map(({ parameters }) => parameters.textContent),
      ['Rain', 'Fire', 'Hail'],
    );
    await site.ask(weather.id, { operation: 'clear' });
  });

  it('gives way where an update makes its priority lower than that of another alert that waits there', async () => {
    const [one, other] = [
      alertNode([action('strobe/start', { color1: 'red' })], { priority: 'level', priorityType: 'msg' }),
      alertNode([action('strobe/start', { color1: 'blue' })], { priority: 5 }),
    ];
    await flow(one, other);
    await site.ask(one.id, { device: ['Wall', 'Door'], level: 9 });
    await site.ask(other.id, { device: 'Wall' });
    // Not at the wall: what it has there gives way all the same.
    await site.ask(one.id, { device: 'Door', level: 1 });
    await site.until('the other is on', () => wall.requests.at(-1)?.parameters.color1 === 'blue');
    for (const { id } of [one, other]) await site.ask(id, { operation: 'clear' });
    assert.equal(wall.operationNames.filter((of) => of === 'strobe/stop').length, 1);
  });

  it('comes back later where the device is busy, and is not ended in the meantime', async () => {
    const [fire, weather] = [
      alertNode([action('strobe/start', { color1: 'red' })], { priority: 9 }),
      alertNode([action('strobe/start', { color1: 'blue' })], { priority: 3, retryAlert: true }),
    ];
    await flow(fire, weather);
    await site.ask(fire.id, { device: 'Wall' });
    await site.ask(weather.id, { device: 'Wall' });
    wall.behavior = () => 503;
    const cleared = await site.ask(fire.id, { operation: 'clear' });
    assert.deepEqual([caughtOf(cleared), alertOf(cleared).pending], [[], ['Wall']]);
    wall.behavior = () => 200;
    await site.until('it is told', () => eventLinesOf(site, fire.name).at(-1) === 'cleared');
    assert.deepEqual(alertOf(await site.ask(weather.id, { operation: 'state' })).active, ['Wall']);
    assert.equal(wall.operationNames.includes('strobe/stop'), false);
    await site.ask(weather.id, { operation: 'clear' });
  });

  it('comes back at once when the other is cleared once more', async () => {
    const toWall = { target: 'device', device: 'wall' };
    const [fire, weather] = [
      alertNode([action('strobe/start')], { ...toWall, priority: 9 }),
      alertNode([action('strobe/start')], { ...toWall, priority: 3, retryAlert: true }),
    ];
    await flow(fire, weather);
    for (const { id } of [fire, weather]) await site.ask(id);
    wall.behavior = () => 503;
    await site.ask(fire.id, { operation: 'clear' });
    wall.behavior = () => 200;
    const again = await site.ask(fire.id, { operation: 'clear' });
    assert.deepEqual(receiptsOf(again).map(short), ['Wall strobe/start accepted']);
    assert.deepEqual([alertOf(again).state, alertOf(again).pending], ['idle', []]);
    await site.ask(weather.id, { operation: 'clear' });
  });

  /** Two alerts that want a door open, of which one holds the other back. */
  async function twoAtDoor() {
    const toDoor = { target: 'device', device: 'door' };
    const [fire, weather] = [9, 3].map((priority) =>
      alertNode([action('door/unlock')], { ...toDoor, priority, retryAlert: 'all' }),
    );
    assert.ok(fire && weather);
    await flow(fire, weather);
    for (const { id } of [fire, weather]) await site.ask(id);
    return [fire, weather] as const;
  }

  it('leaves a door open of which nobody knows who has unlocked it, until the last alert is cleared', async () => {
    const [fire, weather] = await twoAtDoor();
    door.behavior = () => 'reset';
    const cleared = await site.ask(fire.id, { operation: 'clear' });
    assert.deepEqual(receiptsOf(cleared).map(short), ['Door door/unlock unknown']);
    assert.deepEqual([alertOf(cleared).state, alertOf(cleared).pending], ['idle', []]);
    door.behavior = () => 200;
    const sent = door.operationNames.length;
    assert.deepEqual(alertOf(await site.ask(weather.id, { operation: 'state' })).unknown, ['Door']);
    await site.ask(weather.id, { operation: 'clear' });
    assert.deepEqual(door.operationNames.slice(sent), ['door/lock']);
  });

  it('does not unlock a door late: where that fails once, the door of the cleared alert is locked', async () => {
    const [fire, weather] = await twoAtDoor();
    door.behavior = ({ operationName: of }) => (of === 'door/unlock' ? 503 : 200);
    const cleared = await site.ask(fire.id, { operation: 'clear' });
    assert.deepEqual(receiptsOf(cleared).map(short), ['Door door/unlock failed']);
    await site.until('it is locked', () => eventLinesOf(site, fire.name).at(-1) === 'cleared');
    assert.deepEqual(door.operationNames, ['door/unlock', 'door/unlock', 'door/lock']);
    const { active, failed, pending } = alertOf(await site.ask(weather.id, { operation: 'state' }));
    assert.deepEqual([active, failed, pending], [[], ['Door'], []]);
    await site.ask(weather.id, { operation: 'clear' });
  });

  it('is ended where its start is still under way when the clear comes', async () => {
    const alert = alertNode([action('strobe/start')]);
    await flow(alert);
    wall.behavior = ({ operationName: of }) => (of === 'strobe/start' ? 'hold' : 200);
    const started = site.send(alert.id, { device: 'Wall' });
    await site.until('it is under way', () => wall.held.length > 0);
    const cleared = site.send(alert.id, { operation: 'clear' });
    await site.until('the clear is told', () => eventLinesOf(site, alert.name).at(-1) === 'pending Wall');
    wall.releaseAll();
    await Promise.all([site.ended(started), site.ended(cleared)]);
    await site.until('it is over', () => eventLinesOf(site, alert.name).at(-1) === 'cleared');
    assert.equal(wall.operationNames.at(-1), 'strobe/stop');
  });

  it('tells each time that fewer devices wait, and goes on where one action is held back and one fails', async () => {
    const fire = alertNode([action('strobe/start')], { priority: 9 });
    const alert = alertNode([action('strobe/start'), action('screen/text-start'), action('relay/enable')]);
    await flow(fire, alert);
    await site.ask(fire.id, { device: 'Wall' });
    wall.behavior = ({ operationName: of }) => (of === 'screen-text/start' ? 400 : 200);
    const way = await site.ask(alert.id, { device: 'Wall' });
    assert.deepEqual(
      [receiptsOf(way).map(({ outcome }) => outcome), caughtOf(way), way.sent.length],
      [['skipped', 'failed', 'skipped'], ['REFUSED'], 1],
    );
    await site.ask(fire.id, { operation: 'clear' });
    wall.behavior = ({ operationName: of }) => (of === 'strobe/stop' ? 503 : 200);
    await site.ask(alert.id, { device: ['Wall', 'Door'] });
    await site.ask(alert.id, { operation: 'clear' });
    await site.until('one waits', () => eventLinesOf(site, alert.name).at(-1) === 'pending Wall');
    wall.behavior = () => 200;
    await site.until('none waits', () => eventLinesOf(site, alert.name).at(-1) === 'cleared');
    assert.deepEqual(eventsBy(site, alert.name), ['started', 'updated', 'cleared']);
  });

  it('is another alert than one of the same name, which a name alone cannot mean', async () => {
    const [one, two] = ['red', 'blue'].map((color1) =>
      alertNode([action('strobe/start', { color1 })], { name: 'Twin' }),
    );
    assert.ok(one && two);
    await flow(one, two);
    assert.throws(() => alertNamed('Twin'), {
      code: 'NOT_CONFIGURED',
      message: /2 alerts have this name: "Twin"/,
    });
    await site.ask(one.id, { device: 'Wall' });
    await site.ask(two.id, { device: 'Wall' });
    assert.deepEqual(receiptsOf(await site.ask(one.id, { operation: 'clear' })), []);
    assert.equal(alertOf(await site.ask(two.id, { operation: 'state' })).state, 'active');
    await site.ask(two.id, { operation: 'clear' });
    assert.deepEqual(wall.operationNames, ['strobe/start', 'strobe/start', 'strobe/stop']);
  });
});
