import assert from 'node:assert/strict';
import type { FakeDevice } from './fake-device';
import { act, outcomesOf, Site } from './site';

describe('delivery: an endAfter that is due', () => {
  let site: Site;
  let device: FakeDevice;
  beforeEach(async () => {
    site = new Site();
    device = await site.device('Gate');
    // An end that is still owed must not be sent to another test's device.
    device.id = 'gate-that-ends';
  });
  afterEach(() => site.end());

  const toGate = { device: 'gate-that-ends' };
  const dumb = () => {
    device.temper = ({ deed }) => (deed === 'info/about' ? 404 : 200);
  };

  it('takes no later start out that waits, however long it needs to be asked for itself', async () => {
    const flow = (timeout: number) => [
      device.config({ model: '', firmware: '', timeout }),
      act('screen/start', { ...toGate, endAfter: 0.8 }),
    ];
    dumb();
    await site.start(flow(8));
    await site.ask('screen/start');
    // Before the end is sent the new device is asked who it is, and meanwhile the next message comes.
    device.temper = ({ deed }) => (deed === 'info/about' ? 'hold' : 200);
    await site.redeploy(flow(9), 'nodes');
    await site.until('the end is about to be sent', () => device.held.includes('info/about'));
    const way = site.send('screen/start');
    dumb();
    device.release('info/about', 404);
    await site.ended(way);
    assert.deepEqual(outcomesOf(way), ['Gate accepted']);
    await site.until('it is ended', () => device.deeds.includes('screen/stop'));
    assert.deepEqual(device.deeds, ['screen/start', 'screen/start', 'screen/stop']);
  });
});
