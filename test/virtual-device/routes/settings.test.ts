import assert from 'node:assert/strict';
import { send } from '../../fixtures/signer';
import { withDevice } from '../with-device';

const PUT = 'PUT /api/settings';

describe('the virtual device: settings (section 4.1)', () => {
  it('can all be read before they are written, as far as their names are known', () =>
    withDevice({}, async ({ sendJson }) => {
      // docs/field-notes.md section 5, and the switches of section 5 of the document.
      const names = `audio.page.vol audio.ring.vol audio.noise.max audio.vol.spk audio.input.gain audio.noise.use
        audio.mic.mute mcast.mode mcast.tx.fixed mcast.zone1 mcast.zone9 mcast.zone50 sip.proxy sip.proxy.webui
        sip.u1.user sip.u1.auth sip.u1.pwd sip.u1.dname dp.dest net.time1 admin.timezone
        api.auth.tsvar api.auth.basic admin.web.api api.admin.pwd`;
      for (const name of names.split(/\s+/)) {
        const { status, text } = await sendJson(`GET /api/settings/${name}`);
        assert.equal(status, 200, `${name}: ${text}`);
        const { [name]: value } = JSON.parse(text);
        assert.equal(typeof value, 'string');
        assert.equal(
          (await sendJson(PUT, { [name]: value })).status,
          204,
          `${name}: its own value is refused`,
        );
      }
      assert.equal((await sendJson('GET /api/settings/audio.page.volume')).status, 404);
    }));

  const right: readonly [string, string][] = [
    ['audio.page.vol', '-45dB'],
    ['audio.ring.vol', '0dB'],
    ['audio.noise.max', '-3dB'],
    ['audio.input.gain', '-27dB'],
    ['audio.input.gain', '6dB'],
    ['audio.vol.spk', '-12dB'],
    ['audio.mic.mute', '1'],
    ['mcast.mode', '2'],
    ['mcast.tx.fixed', '50'],
    ['mcast.zone2', '224.0.1.116:5001'],
    ['mcast.zone4', ''],
    ['sip.proxy', 'sip.example.com'],
    ['some.other.parameter', 'whatever it may hold'],
  ];
  it('take values of the form that each has', () =>
    withDevice({}, async ({ sendJson }) => {
      for (const [name, value] of right)
        assert.equal((await sendJson(PUT, { [name]: value })).status, 204, `${name} ${value}`);
    }));

  const wrong: readonly [string, string, string][] = [
    ['audio.page.vol', 'loud', 'a level from "-45dB" to "0dB" in steps of 3'],
    ['audio.page.vol', '-10dB', 'a level from "-45dB" to "0dB" in steps of 3'],
    ['audio.ring.vol', '3dB', 'a level from "-45dB" to "0dB" in steps of 3'],
    ['audio.noise.max', '-48dB', 'a level from "-45dB" to "0dB" in steps of 3'],
    ['audio.page.vol', '', 'a level from "-45dB" to "0dB" in steps of 3'],
    ['audio.input.gain', '7dB', 'a level from "-27dB" to "6dB"'],
    ['audio.input.gain', '-28dB', 'a level from "-27dB" to "6dB"'],
    ['audio.mic.mute', 'true', '"0" or "1"'],
    ['audio.noise.use', '2', '"0" or "1"'],
    ['mcast.mode', '3', '"0" or "1" or "2"'],
    ['mcast.tx.fixed', '51', 'a whole number from 1 to 50'],
    ['mcast.zone1', '224.0.2.60', 'an address and a port such as "224.0.2.60:50002"'],
    ['mcast.zone50', '224.0.2.60:0', 'an address and a port such as "224.0.2.60:50002"'],
    ['api.auth.basic', '2', '"0" or "1" or "-1"'],
    ['api.auth.tsvar', 'long', 'a string with a whole number of seconds'],
  ];
  it('refuse values of another form, by name, and change nothing then', () =>
    withDevice({}, async ({ device, sendJson }) => {
      const before = device.settings;
      for (const [name, value, wanted] of wrong) {
        const { status, text } = await sendJson(PUT, { 'net.time1': 'changed', [name]: value });
        assert.equal(status, 400, `${name} ${value}`);
        assert.equal(JSON.parse(text).error, `${name} must be ${wanted}, not ${JSON.stringify(value)}`);
      }
      assert.deepEqual(device.settings, before);
    }));
});

describe('the landing page of the virtual device (docs/field-notes.md section 3)', () => {
  it('names the product to everybody, whatever the authentication, also while the API is off', () =>
    withDevice({ model: '8186' }, async ({ address, device }) => {
      await device.carryOut('api', { on: false });
      const { status, headers, text } = await send(address, 'GET', '/', {});
      assert.deepEqual([status, headers['content-type']], [200, 'text/html; charset=utf-8']);
      assert.match(text, /<title>Algo 8186<\/title>/);
      assert.equal(device.log[0]?.operation, 'read the landing page');
      assert.equal((await send(address, 'POST', '/', {})).status, 403);
      assert.doesNotMatch(text, /href/);
    }));

  it('leads whoever opens its address to see something to its panel', () =>
    withDevice({ panel: () => 'http://127.0.0.1:1880/algo/virtual/hall/' }, async ({ address }) => {
      const { text } = await send(address, 'GET', '/', {});
      assert.match(text, /<a href="http:\/\/127\.0\.0\.1:1880\/algo\/virtual\/hall\/">Open its panel<\/a>/);
    }));
});
