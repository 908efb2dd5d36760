import assert from 'node:assert/strict';
import { act, receiptsOf } from '../delivery/site';
import { alertNode, alertOf, deed, eachWithPlace, type Place, short, states, toldBy } from './alert-node';

describe('algo-alert beside what else is so', function () {
  this.timeout(60_000);
  let { site, wall } = {} as Place;
  const flow = eachWithPlace((place) => {
    ({ site, wall } = place);
  });

  it('does not end what a node of a person has ended', async () => {
    const alert = alertNode([deed('strobe/start'), deed('screen/text-start')]);
    const dark = { ...act('strobe/stop', { device: 'wall' }), id: 'dark' };
    await flow(alert, dark);
    await site.ask(alert.id, { device: 'Wall' });
    await site.ask('dark');
    assert.deepEqual(receiptsOf(await site.ask(alert.id, { operation: 'clear' })).map(short), [
      'Wall screen/text-stop accepted',
    ]);
  });

  it('has nothing to do with one that only rehearses there', async () => {
    const fire = alertNode([deed('strobe/start')], { severity: 9 });
    const exercise = alertNode([deed('strobe/start')], { severity: 10, target: 'group', group: 'all' });
    const all = { id: 'all', type: 'algo-group', name: 'All', devices: ['wall'], rehearsal: true };
    await flow(fire, exercise, all);
    await site.ask(fire.id, { device: 'Wall' });
    assert.deepEqual(receiptsOf(await site.ask(exercise.id)).map(short), ['Wall strobe/start rehearsed']);
    assert.deepEqual(alertOf(await site.ask(fire.id, { operation: 'state' })).devices, ['Wall']);
    await site.ask(fire.id, { operation: 'clear' });
    await site.ask(exercise.id, { operation: 'clear' });
    assert.deepEqual(wall.deeds, ['strobe/start', 'strobe/stop']);
  });

  it('is owed at a device that a deploy lets only rehearse, until it is in earnest again', async () => {
    const alert = alertNode([deed('strobe/start')]);
    await site.start([wall.config(), states, alert]);
    await site.ask(alert.id, { device: 'Wall' });
    await site.redeploy([wall.config({ rehearsal: true }), states, alert]);
    const cleared = await site.ask(alert.id, { operation: 'clear' });
    assert.deepEqual(receiptsOf(cleared).map(short), ['Wall strobe/stop rehearsed']);
    assert.deepEqual([alertOf(cleared).waiting, wall.deeds], [['Wall'], ['strobe/start']]);
    await site.redeploy([wall.config(), states, alert]);
    await site.until('it is cleared', () => toldBy(site, alert.name).at(-1) === 'idle');
    assert.deepEqual(wall.deeds, ['strobe/start', 'strobe/stop']);
  });
});
