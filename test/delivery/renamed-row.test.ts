import assert from 'node:assert/strict';
import { action, alertNode, alertOf, states } from '../fixtures/alert-node';
import type { FakeDevice } from '../fixtures/fake-device';
import { act, outcomesOf, Site } from '../fixtures/site';

describe('delivery: a row of a group that gets another name', () => {
  let site: Site;
  let device: FakeDevice;
  let serial = 0;

  beforeEach(async () => {
    serial += 1;
    site = new Site();
    device = await site.device('Gate');
  });
  afterEach(() => site.end());

  const rows = (name: string) => ({
    id: `renamed-${serial}`,
    type: 'algo-group',
    name: 'Rows',
    auth: 'none',
    rows: [{ name, address: device.address, tags: '' }],
  });
  const count = (what: string) => device.operationNames.filter((one) => one === what).length;
  const open = act('door/unlock', { target: 'msg', endAfter: 2 });

  it('is ended all the same, and is ended by what replaces it', async () => {
    const stay = { ...act('relay/24v-enable', { target: 'msg', endAfter: 2 }), id: 'stay' };
    const last = { ...act('relay/24v-enable', { target: 'msg' }), id: 'last' };
    await site.start([rows('Hall'), open, stay, last]);
    assert.deepEqual(outcomesOf(await site.ask('door/unlock', { device: 'Hall' })), ['Hall accepted']);
    await site.ask('stay', { device: 'Hall' });
    await site.redeploy([rows('Hall 1'), open, stay, last]);
    await site.ask('last', { device: 'Hall 1' });
    await site.until('it is locked', () => count('door/lock') > 0);
    assert.equal(count('24v/disable'), 0);
  });

  it('is cleared by the alert that began it there', async () => {
    const alert = alertNode([action('relay/enable')]);
    await site.start([rows('Hall'), states, alert]);
    await site.ask(alert.id, { device: 'Hall' });
    await site.redeploy([rows('Hall 1'), states, alert]);
    const cleared = await site.ask(alert.id, { operation: 'clear' });
    assert.deepEqual(device.operationNames, ['relay/enable', 'relay/disable']);
    assert.equal(alertOf(cleared).state, 'idle');
  });

  describe('which two rows swap', () => {
    let other: FakeDevice;
    const both = (...names: readonly [string, string]) => ({
      ...rows(''),
      rows: [device, other].map(({ address }, index) => ({ name: names[index], address, tags: '' })),
    });
    beforeEach(async () => {
      other = await site.device('Other');
    });

    it('is ended at each device in its own time', async () => {
      const later = { ...act('door/unlock', { target: 'msg', endAfter: 3 }), id: 'later' };
      await site.start([both('Hall', 'Foyer'), open, later]);
      await site.ask('door/unlock', { device: 'Hall' });
      await site.ask('later', { device: 'Foyer' });
      await site.redeploy([both('Foyer', 'Hall'), open, later]);
      await site.until('the first is locked', () => device.operationNames.length > 1);
      assert.deepEqual(other.operationNames, ['door/unlock']);
      await site.until('the other is locked', () => other.operationNames.length > 1);
      assert.deepEqual(
        [device.operationNames, other.operationNames],
        new Array(2).fill(['door/unlock', 'door/lock']),
      );
    });

    it('is cleared where the alert has begun it, and nowhere else', async () => {
      const alert = alertNode([action('relay/enable')]);
      await site.start([both('Hall', 'Foyer'), states, alert]);
      await site.ask(alert.id, { device: 'Hall' });
      await site.redeploy([both('Foyer', 'Hall'), states, alert]);
      const cleared = await site.ask(alert.id, { operation: 'clear' });
      assert.deepEqual(outcomesOf(cleared), ['Foyer accepted']);
      assert.deepEqual(
        [device.operationNames, other.operationNames],
        [['relay/enable', 'relay/disable'], []],
      );
      assert.equal(alertOf(cleared).state, 'idle');
    });
  });
});
