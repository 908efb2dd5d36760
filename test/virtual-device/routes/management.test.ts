import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { VirtualDevice } from '../../../src/virtual-device/device';
import { ask } from '../../fixtures/signer';
import { withDevice } from '../with-device';

/** Waits until the device has the power state. */
async function power(device: VirtualDevice, wanted: 'on' | 'restarting'): Promise<void> {
  while (device.state.power !== wanted) await once(device, 'change');
}

describe('the virtual device: management (section 4.2)', () => {
  it('reboots: no connection for a while, then settings and files as before, and nothing going on', () =>
    withDevice({ model: '8301', rebootMs: 90_000 }, async ({ device, clock, address, sendJson }) => {
      await sendJson('PUT /api/settings', { 'audio.page.vol': '-6dB' });
      await ask(address, 'PUT', '/api/files/tones/mine.wav', {
        now: clock.now(),
        body: 'RIFF',
        type: 'application/octet-stream',
      });
      await sendJson('POST /api/controls/tone/start', { path: 'mine.wav', loop: true, duration: 3600 });
      await sendJson('PUT /api/settings', { 'mcast.mode': '2' });
      const reply = await sendJson('POST /api/controls/reboot');
      assert.deepEqual([reply.status, reply.text], [200, '']);
      await power(device, 'restarting');
      assert.equal(clock.pending, 1);
      await assert.rejects(sendJson('GET /api/info/about'), { code: 'ECONNREFUSED' });
      clock.advance(89_999);
      await assert.rejects(sendJson('GET /api/info/about'), { code: 'ECONNREFUSED' });
      clock.advance(1);
      await power(device, 'on');
      assert.equal(device.address, address);
      assert.deepEqual(JSON.parse((await sendJson('GET /api/settings/audio.page.vol')).text), {
        'audio.page.vol': '-6dB',
      });
      const { tonelist } = JSON.parse((await sendJson('GET /api/info/tonelist')).text);
      assert.ok(tonelist.includes('mine.wav'));
      assert.equal(device.state.tone, null);
      const status = JSON.parse((await sendJson('GET /api/info/status')).text);
      assert.equal(status['Multicast Mode'], 'Receiver (Idle)');
    }));

  it('can be stopped in the middle of a reboot, and started again at any port', () =>
    withDevice({}, async ({ device, sendJson }) => {
      await sendJson('POST /api/controls/reboot');
      await power(device, 'restarting');
      await device.stop();
      const address = await device.start();
      assert.equal(device.state.power, 'on');
      assert.equal(device.address, address);
    }));

  it('reloads without an outage, unless one is asked for', async () => {
    await withDevice({}, async ({ device, sendJson }) => {
      const reply = await sendJson('POST /api/controls/reload');
      assert.deepEqual([reply.status, reply.text], [200, '']);
      assert.equal(device.state.power, 'on');
    });
    await withDevice({ reloadMs: 1000 }, async ({ device, clock, sendJson }) => {
      await sendJson('POST /api/controls/reload');
      await power(device, 'restarting');
      clock.advance(1000);
      await power(device, 'on');
      assert.equal((await sendJson('GET /api/info/about')).status, 200);
    });
  });

  it('takes multicast settings into force at a reload only', () =>
    withDevice({}, async ({ sendJson }) => {
      const mode = async () => JSON.parse((await sendJson('GET /api/info/status')).text)['Multicast Mode'];
      await sendJson('PUT /api/settings', { 'mcast.mode': '2' });
      assert.equal(await mode(), 'Disabled');
      await sendJson('POST /api/controls/reload');
      assert.equal(await mode(), 'Receiver (Idle)');
    }));

  it('restores factory defaults, says so, and has its interface switched off afterwards', () =>
    withDevice({ rebootMs: 10 }, async ({ device, clock, sendJson }) => {
      await sendJson('PUT /api/settings', { 'audio.page.vol': '-6dB' });
      const reply = await sendJson('POST /api/settings/action/restore');
      assert.deepEqual(JSON.parse(reply.text), { Restore: 'Restoring to default' });
      await power(device, 'restarting');
      clock.advance(10);
      await power(device, 'on');
      assert.equal((await sendJson('GET /api/info/about')).status, 403);
      assert.notEqual(device.settings['audio.page.vol'], '-6dB');
    }));

  it('upgrades to the firmware that there is, with a restart', () =>
    withDevice({ firmware: '5.6', newFirmware: '5.7', rebootMs: 10 }, async ({ device, clock, sendJson }) => {
      assert.deepEqual(JSON.parse((await sendJson('POST /api/controls/upgrade/check')).text), {
        version: '5.7',
      });
      const started = JSON.parse((await sendJson('POST /api/controls/upgrade/start')).text);
      assert.equal(started.status, 'upgrading 5.7');
      assert.match(started.url, /^https:/);
      await power(device, 'restarting');
      clock.advance(10);
      await power(device, 'on');
      const about = JSON.parse((await sendJson('GET /api/info/about')).text);
      assert.equal(about['Firmware Version'], '5.7');
    }));
});
