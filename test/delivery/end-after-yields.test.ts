import assert from 'node:assert/strict';
import { deviceById } from '../../src/runtime/device/registry';
import type { FakeDevice } from '../fixtures/fake-device';
import { act, outcomesOf, Site } from '../fixtures/site';

describe('delivery: an endAfter that is due', () => {
  let site: Site;
  let device: FakeDevice;
  beforeEach(async () => {
    site = new Site();
    device = await site.device('Gate');
    // An end that is still pending must not be sent to another test's device.
    device.id = 'gate-that-ends';
  });
  afterEach(() => site.end());

  const toGate = { device: 'gate-that-ends' };
  const dumb = () => {
    device.behavior = ({ operationName }) => (operationName === 'info/about' ? 404 : 200);
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
    device.behavior = ({ operationName }) => (operationName === 'info/about' ? 'hold' : 200);
    await site.redeploy(flow(9), 'nodes');
    await site.until('the end is about to be sent', () => device.held.includes('info/about'));
    const way = site.send('screen/start');
    dumb();
    device.release('info/about', 404);
    await site.ended(way);
    assert.deepEqual(outcomesOf(way), ['Gate accepted']);
    await site.until('it is ended', () => device.operationNames.includes('screen/stop'));
    assert.deepEqual(device.operationNames, ['screen/start', 'screen/start', 'screen/stop']);
  });

  it('is not sent when a later start has taken its place before Node-RED knows the firmware', async () => {
    device.behavior = ({ operationName }) => (operationName === 'info/about' ? 404 : 'hold');
    await site.start([
      device.config({ model: '', firmware: '' }),
      act('tone/start', { ...toGate, endAfter: 1 }),
      act('tone/start', { ...toGate, id: 'tone for an hour', endAfter: 3600 }),
      act('screen/start', toGate),
    ]);
    // The device is busy from the answer to the start on, so that the end has to wait for the question.
    const first = site.send('tone/start');
    await site.until('it starts', () => device.held.includes('tone/start'));
    const busy = site.send('screen/start');
    const known = deviceById(toGate.device) ?? assert.fail();
    const question = new Promise<void>((resolve) => {
      const ask = known.identity.bind(known);
      known.identity = () => {
        resolve();
        return ask();
      };
    });
    device.release('tone/start', 200);
    await site.ended(first);
    await site.until('the device is busy', () => device.held.includes('screen/start'));
    known.forgetIdentity();
    await question;
    device.behavior = ({ operationName }) => (operationName === 'info/about' ? 'hold' : 200);
    const second = site.send('tone for an hour');
    device.release('screen/start', 200);
    await site.ended(busy);
    await site.ended(second);
    await site.until('the device is asked who it is', () => device.held.includes('info/about'));
    device.behavior = () => 200;
    device.release('info/about', 404);
    for (let count = 0; count < 2; count += 1) await site.ask('screen/start');
    assert.ok(!device.operationNames.includes('tone/stop'), device.operationNames.join());
  });
});
