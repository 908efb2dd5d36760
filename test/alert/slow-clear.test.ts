import assert from 'node:assert/strict';
import { alertsOf } from '../../src/runtime/alert/alerts';
import { alertNamed } from '../../src/runtime/alert/named-alert';
import { action, alertNode, alertOf, eachWithPlace, type Place, short } from '../fixtures/alert-node';
import { runningNodeRed } from '../fixtures/flow';
import { act, outcomesOf, receiptsOf } from '../fixtures/site';

/** Resolves when the alert of this name is so: a message that has arrived takes a while to take effect. */
async function until(name: unknown, isSo: (state: string) => boolean): Promise<void> {
  while (!isSo(alertNamed(String(name)).state().state)) await new Promise((resolve) => setImmediate(resolve));
}

describe('algo-alert: a clear at a device that takes its time', () => {
  let { site, wall } = {} as Place;
  const flow = eachWithPlace((output) => {
    ({ site, wall } = output);
  });
  const toWall = { target: 'device', device: 'wall' };
  const text = { textContent: 'Lunch' };
  const weather = () => alertNode([action('strobe/start'), action('screen/text-start')], toWall);
  const strobes = () => wall.operationNames.filter((of) => of.startsWith('strobe/'));

  /** Starts an alert and clears it, at a wall that has not answered the first end yet. */
  async function clearing(id: string) {
    await site.ask(id);
    wall.behavior = ({ operationName: of }) => (of === 'screen-text/stop' ? 'hold' : 200);
    const cleared = site.send(id, { operation: 'clear' });
    await site.until('the first end is under way', () => wall.held.length > 0);
    return cleared;
  }

  it('ends nothing that another alert starts there meanwhile', async () => {
    const [one, fire] = [weather(), alertNode([action('strobe/start')], { ...toWall, priority: 9 })];
    await flow(one, fire);
    const cleared = await clearing(one.id);
    const started = site.send(fire.id);
    await until(fire.name, (state) => state === 'active');
    wall.releaseAll();
    await Promise.all([site.ended(cleared), site.ended(started)]);
    assert.deepEqual(strobes(), ['strobe/start', 'strobe/stop', 'strobe/start']);
    assert.deepEqual(alertOf(await site.ask(fire.id, { operation: 'state' })).active, ['Wall']);
    await site.ask(fire.id, { operation: 'clear' });
  });

  it('ends nothing that it is started with once more meanwhile', async () => {
    const one = weather();
    await flow(one);
    const cleared = await clearing(one.id);
    const started = site.send(one.id);
    await until(one.name, (state) => state === 'active');
    wall.releaseAll();
    await Promise.all([site.ended(cleared), site.ended(started)]);
    assert.deepEqual(strobes(), ['strobe/start', 'strobe/stop', 'strobe/start']);
    await site.ask(one.id, { operation: 'clear' });
    assert.equal(strobes().at(-1), 'strobe/stop');
  });

  it('ends nothing that a node of a person starts there meanwhile', async () => {
    const one = weather();
    await flow(one, act('strobe/start', toWall));
    const cleared = await clearing(one.id);
    const started = site.send('strobe/start');
    await new Promise((resolve) => setImmediate(resolve));
    wall.releaseAll();
    await Promise.all([site.ended(cleared), site.ended(started)]);
    assert.deepEqual(outcomesOf(started), ['Wall accepted']);
    assert.deepEqual(strobes(), ['strobe/start', 'strobe/stop', 'strobe/start']);
  });

  it('ends what a node of a person is starting there, also where its time is over', async () => {
    const one = alertNode([action('screen/text-start')], { ...toWall, endAfter: 3_600 });
    await flow(one, act('strobe/start', toWall), act('screen/text-start', { ...toWall, given: text }));
    await site.ask(one.id);
    wall.behavior = ({ operationName: of }) => (of === 'strobe/start' ? 'hold' : 200);
    const before = site.send('strobe/start');
    await site.until('something else is under way', () => wall.held.length > 0);
    const way = site.send('screen/text-start');
    await new Promise((resolve) => setImmediate(resolve));
    // As when its time is over.
    await alertsOf(runningNodeRed()).clear(one.id, {});
    wall.releaseAll();
    await Promise.all([site.ended(before), site.ended(way)]);
    assert.deepEqual(outcomesOf(way), ['Wall superseded']);
    assert.deepEqual(wall.operationNames, ['screen-text/start', 'strobe/start', 'screen-text/stop']);
  });

  it('does not bring back what is cleared meanwhile', async () => {
    const [one, fire] = [
      alertNode([action('strobe/start')], { ...toWall, priority: 3 }),
      alertNode([action('strobe/start'), action('screen/text-start')], { ...toWall, priority: 9 }),
    ];
    await flow(one, fire);
    await site.ask(one.id);
    const cleared = await clearing(fire.id);
    const other = site.send(one.id, { operation: 'clear' });
    await until(one.name, (state) => state !== 'active');
    wall.releaseAll();
    await Promise.all([site.ended(cleared), site.ended(other)]);
    assert.deepEqual(strobes(), ['strobe/start', 'strobe/start', 'strobe/stop']);
  });

  it('ends the rest at a device that hangs on the first of it', async () => {
    const one = weather();
    await flow(one);
    const cleared = await clearing(one.id);
    await site.until('the other is ended, too', () => strobes().at(-1) === 'strobe/stop');
    assert.equal(wall.held.length, 1);
    wall.releaseAll();
    assert.deepEqual(receiptsOf(await site.ended(cleared)).map(short), [
      'Wall screen/text-stop accepted',
      'Wall strobe/stop accepted',
    ]);
  });
});
