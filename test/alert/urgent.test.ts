import assert from 'node:assert/strict';
import { action, alertNode, eachWithPlace, type Place } from '../fixtures/alert-node';
import { act, outcomesOf } from '../fixtures/site';

describe('a start or a clear of an alert', () => {
  let place: Place;
  const start = eachWithPlace((made) => {
    place = made;
  });
  const actions = ['tone/start', 'strobe/start', 'screen/start', 'screen/text-start'];

  const toDoor = () => act('door/lock', { target: 'device', device: place.door.id });

  /** Sends what takes long, and messages that wait behind it. */
  async function busyWall(drill: boolean) {
    const { site, wall } = place;
    const toWall = { target: 'device', device: wall.id };
    const alert = alertNode(
      actions.map((name) => action(name)),
      { ...toWall, drill },
    );
    await start(alert, act('info/status', toWall), act('call/page', toWall), toDoor());
    wall.behavior = ({ operationName }) => (operationName === 'info/status' ? 'hold' : 200);
    const ways = ['info/status', 'info/status', 'call/page'].map((name) => site.send(name));
    await site.until('the first is under way', () => wall.held.length === 1);
    return { alert, ways };
  }

  it('does not wait for what is under way, nor for what waits', async () => {
    const { site, wall } = place;
    const { alert, ways } = await busyWall(false);
    assert.deepEqual(outcomesOf(await site.ask(alert.id)), Array(4).fill('Wall accepted'));
    assert.deepEqual(
      outcomesOf(await site.ask(alert.id, { operation: 'clear' })),
      Array(4).fill('Wall accepted'),
    );
    assert.equal(wall.held.length, 1);
    wall.releaseAll();
    for (const way of ways) await site.ended(way);
    assert.deepEqual(wall.operationNames.slice(-2), ['info/status', 'call/page']);
  });

  it('waits if it is a drill', async () => {
    const { site, wall } = place;
    const { alert, ways } = await busyWall(true);
    const drill = site.send(alert.id);
    // A whole exchange with another device, in which a start that does not wait would have come.
    await site.ask('door/lock');
    assert.equal(wall.operationNames.length, 1);
    wall.releaseAll();
    for (const way of [...ways, drill]) await site.ended(way);
    assert.deepEqual(wall.operationNames.slice(0, 3), ['info/status', 'info/status', 'call/page']);
    await site.ask(alert.id, { operation: 'clear' });
  });
});
