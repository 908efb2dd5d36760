import assert from 'node:assert/strict';
import type { FakeDevice } from '../fixtures/fake-device';
import { act, caughtOf, Site } from '../fixtures/site';

describe('delivery: an endAfter that cannot be', () => {
  let site: Site;
  let device: FakeDevice;
  beforeEach(async () => {
    site = new Site();
    device = await site.device('Gate');
  });
  afterEach(() => site.end());

  const toGate = { device: 'gate' };

  it('is refused where something else ends it or nothing does, and nothing is sent', async () => {
    const odd = [
      act('tone/start', { ...toGate, given: { duration: 5 }, endAfter: 5 }),
      act('screen/start', { ...toGate, given: { stopAfter: 5 }, endAfter: 5 }),
      act('screen/text-start', { ...toGate, given: { duration: 5 }, endAfter: 5 }),
      act('strobe/start', { ...toGate, given: { duration: 5 }, endAfter: 5 }),
      ...['door/lock', 'door/munlock', 'relay/menable', 'tone/test-start', 'info/tonelist', 'tone/stop'].map(
        (name) => act(name, { ...toGate, endAfter: 5 }),
      ),
      ...['soon', -1, true, 'Infinity'].map((endAfter, index) =>
        act('door/unlock', { ...toGate, id: `odd ${index}`, endAfter }),
      ),
    ];
    await site.start([device.config({ letDeviceDecide: true }), ...odd]);
    for (const { id } of odd) {
      assert.deepEqual([id, caughtOf(await site.ask(id))], [id, ['INVALID_PARAMETER']]);
    }
    assert.deepEqual(site.requests, []);
  });
});
