import assert from 'node:assert/strict';
import {
  action,
  alertNode,
  alertOf,
  eachWithPlace,
  eventLinesOf,
  type Place,
  short,
  states,
} from '../fixtures/alert-node';
import { act, receiptsOf } from '../fixtures/site';

describe('algo-alert beside what else is so', () => {
  let { site, wall } = {} as Place;
  const flow = eachWithPlace((output) => {
    ({ site, wall } = output);
  });

  it('does not end what a node of a person has ended', async () => {
    const alert = alertNode([action('strobe/start'), action('screen/text-start')]);
    const dark = { ...act('strobe/stop', { device: 'wall' }), id: 'dark' };
    await flow(alert, dark);
    await site.ask(alert.id, { device: 'Wall' });
    await site.ask('dark');
    assert.deepEqual(receiptsOf(await site.ask(alert.id, { operation: 'clear' })).map(short), [
      'Wall screen/text-stop accepted',
    ]);
  });

  it('has nothing to do with a dry run of another alert there', async () => {
    const fire = alertNode([action('strobe/start')], { priority: 9 });
    const ofMessage = { priority: 'level', priorityType: 'msg' };
    const exercise = alertNode([action('strobe/start')], { ...ofMessage, target: 'group', group: 'all' });
    const all = { id: 'all', type: 'algo-group', name: 'All', devices: ['wall'], dryRun: true };
    await flow(fire, exercise, all);
    await site.ask(exercise.id, { level: 10 });
    assert.deepEqual(receiptsOf(await site.ask(fire.id, { device: 'Wall' })).map(short), [
      'Wall strobe/start accepted',
    ]);
    const less = await site.ask(exercise.id, { level: 1 });
    assert.deepEqual(receiptsOf(less).map(short), ['Wall strobe/start dry-run']);
    assert.deepEqual(alertOf(await site.ask(fire.id, { operation: 'state' })).active, ['Wall']);
    await site.ask(fire.id, { operation: 'clear' });
    await site.ask(exercise.id, { operation: 'clear' });
    assert.deepEqual(wall.operationNames, ['strobe/start', 'strobe/stop']);
  });

  it('is still its own after a dry run of another node there', async () => {
    const alert = alertNode([action('strobe/start')]);
    const all = { id: 'all', type: 'algo-group', name: 'All', devices: ['wall'], dryRun: true };
    const flash = { ...act('strobe/start', { target: 'group', group: 'all' }), id: 'flash' };
    await flow(alert, all, flash);
    await site.ask(alert.id, { device: 'Wall' });
    assert.deepEqual(receiptsOf(await site.ask('flash')).map(short), ['Wall strobe/start dry-run']);
    await site.ask(alert.id, { operation: 'clear' });
    assert.deepEqual(wall.operationNames, ['strobe/start', 'strobe/stop']);
  });

  it('does not end by a retried stop what another node starts meanwhile', async () => {
    const alert = alertNode([action('strobe/start'), action('screen/text-start')]);
    await flow(alert, act('screen/text-start', { device: 'wall', given: { textContent: 'welcome' } }));
    await site.ask(alert.id, { device: 'Wall' });
    const count = (name: string) => wall.operationNames.filter((one) => one === name).length;
    wall.behavior = ({ operationName }) => (operationName === 'screen-text/start' ? 'hold' : 503);
    await site.ask(alert.id, { operation: 'clear' });
    const way = site.send('screen/text-start');
    await site.until('the text is on its way', () => count('screen-text/start') === 2);
    // The second pause is longer than each first one, so that the retry of the text's stop has been due.
    await site.until('the other stop is retried twice', () => count('strobe/stop') === 3);
    wall.releaseAll();
    assert.deepEqual(receiptsOf(await site.ended(way)).map(short), ['Wall screen/text-start accepted']);
    const isIdle = async () => alertOf(await site.ask(alert.id, { operation: 'state' })).state === 'idle';
    while (!(await isIdle())) await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual(
      wall.operationNames.filter((name) => name.startsWith('screen-text/')),
      ['screen-text/start', 'screen-text/stop', 'screen-text/start'],
    );
  });

  it('comes back for good: no end that a node of a person has pending there ends it', async () => {
    const fire = alertNode([action('strobe/start')], { priority: 9 });
    const weather = alertNode([action('strobe/start')], { priority: 3 });
    // Long enough for a busy machine to clear the alert before.
    const toOld = { device: 'old', endAfter: 5 };
    const flash = { ...act('strobe/start', toOld), id: 'flash' };
    const marker = { ...act('screen/start', { ...toOld, endAfter: 5.1 }), id: 'marker' };
    const old = await site.device('Old', '8410', '5.5');
    await site.start([old.config(), states, fire, weather, flash, marker]);
    for (const { id } of [fire, weather]) await site.ask(id, { device: 'Old' });
    for (const id of ['flash', 'marker']) await site.ask(id);
    assert.deepEqual(receiptsOf(await site.ask(fire.id, { operation: 'clear' })).map(short), [
      'Old strobe/start accepted',
    ]);
    await site.until('a later end has come', () => old.operationNames.includes('screen/stop'));
    assert.equal(old.operationNames.includes('strobe/stop'), false);
    await site.ask(weather.id, { operation: 'clear' });
  });

  for (const [operation, model, isAskedAgain] of [
    ['strobe/start', '8410', true],
    ['call/start', '8301', false],
  ] as const) {
    it(`${isAskedAgain ? 'asks' : 'does not ask'} again for ${operation} that comes back and perhaps did`, async () => {
      const device = await site.device('Any', model);
      const [fire, weather] = [9, 3].map((priority) =>
        alertNode([action(operation)], { priority, target: 'device', device: 'any' }),
      );
      assert.ok(fire && weather);
      await site.start([device.config(), states, fire, weather]);
      for (const { id } of [fire, weather]) await site.ask(id);
      device.behavior = ({ operationName: of }) => (of === operation ? 'reset' : 200);
      const cleared = await site.ask(fire.id, { operation: 'clear' });
      device.behavior = () => 200;
      assert.deepEqual(alertOf(cleared).pending, isAskedAgain ? ['Any'] : []);
      if (isAskedAgain)
        await site.until('it is over', () => eventLinesOf(site, fire.name).at(-1) === 'cleared');
      const { active, unknown } = alertOf(await site.ask(weather.id, { operation: 'state' }));
      assert.deepEqual([active, unknown], isAskedAgain ? [['Any'], []] : [[], ['Any']]);
      await site.ask(weather.id, { operation: 'clear' });
      const starts = device.operationNames.filter((of) => of === operation);
      assert.equal(starts.length > 2, isAskedAgain, device.operationNames.join());
    });
  }

  it('is pending at a device that a deploy sets to dry run, until dry run is off again', async () => {
    const alert = alertNode([action('strobe/start')]);
    await site.start([wall.config(), states, alert]);
    await site.ask(alert.id, { device: 'Wall' });
    await site.redeploy([wall.config({ dryRun: true }), states, alert]);
    const cleared = await site.ask(alert.id, { operation: 'clear' });
    assert.deepEqual(receiptsOf(cleared).map(short), ['Wall strobe/stop dry-run']);
    assert.deepEqual([alertOf(cleared).pending, wall.operationNames], [['Wall'], ['strobe/start']]);
    await site.redeploy([wall.config(), states, alert]);
    await site.until('it is cleared', () => eventLinesOf(site, alert.name).at(-1) === 'cleared');
    assert.deepEqual(wall.operationNames, ['strobe/start', 'strobe/stop']);
  });
});
