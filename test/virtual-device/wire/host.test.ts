import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { isOwnHost } from '../../../src/virtual-device/wire/host';
import { send } from '../../fixtures/signer';
import { withDevice } from '../with-device';

const json = { 'Content-Type': 'application/json' };
const body = Buffer.from('{"path":"chime.wav","loop":false}');

describe('the virtual device: the header Host', () => {
  it('accepts IP addresses, localhost, the names of this computer and, for other computers, names without a dot', () => {
    for (const host of [
      undefined,
      '',
      '127.0.0.1',
      '127.0.0.1:8080',
      '192.0.2.7:80',
      '[::1]:8080',
      '[2001:db8::7]',
      'localhost:8080',
      'LOCALHOST',
      'speaker.localhost:8080',
      'speaker:8080',
      hostname(),
      `${hostname().toUpperCase()}.local:80`,
      'bell.example:8080',
    ])
      assert.equal(isOwnHost(host, 'bell.example'), true, host);
  });

  it('accepts no other name', () => {
    for (const host of [
      'evil.example',
      'evil.example:8080',
      'evil',
      'speaker:8080',
      '127.0.0.1.evil.example',
      'localhost.evil.example:8080',
      'localhost.',
      '127.0.0.1@evil.example',
      '127.0.0.1, evil.example',
      '127.0.0.1:8080.evil.example',
      '127.0.0.1:80:80.evil',
      '[evil.example]',
      '[127.0.0.1]',
      '[::1].evil.example',
      '[::1]evil.example:80',
      `${hostname()}.evil.example`,
      '1.2.3.4.5',
    ])
      assert.equal(isOwnHost(host, '127.0.0.1'), false, host);
  });

  it('refuses a request under the name of another site, with a sentence', () =>
    withDevice({ auth: 'none' }, async ({ device, address }) => {
      const { port } = new URL(address);
      const post = (host: string) =>
        send(address, 'POST', '/api/controls/tone/start', { ...json, Host: `${host}:${port}` }, body);
      const refused = await post('evil.example');
      assert.equal(refused.status, 403);
      assert.match(JSON.parse(refused.text).error, /the header Host .* use the IP address/);
      assert.equal(device.state.tone, null);
      assert.match(device.log[0]?.reason ?? '', /the header Host/);
      assert.equal((await send(address, 'GET', '/api/info/about', { Host: 'evil.example' })).status, 403);
      assert.equal((await post('localhost')).status, 200);
    }));
});
