import assert from 'node:assert/strict';
import { DeviceClient, type DeviceSettings } from '../../src/client/client';
import { DeviceError } from '../../src/client/errors';
import { wordingIn } from '../fixtures/wording';

const plain: DeviceSettings = {
  name: 'Main entrance',
  address: '10.0.0.5',
  auth: 'standard',
  password: 'secret-word',
  certificate: 'verify',
  timeoutMs: 10_000,
};

function refusal(settings: Partial<DeviceSettings>): string {
  try {
    new DeviceClient({ ...plain, ...settings });
  } catch (error) {
    assert.ok(error instanceof DeviceError);
    assert.equal(error.code, 'NOT_CONFIGURED');
    assert.ok(Object.hasOwn(error, 'code'));
    assert.equal(error.sent, false);
    assert.equal(error.outcome, 'failed');
    assert.equal(error.attempts, 0);
    assert.match(error.message, /"Main entrance"/);
    assert.doesNotMatch(error.message, /secret-word/);
    return error.message;
  }
  return assert.fail(`not refused: ${JSON.stringify(settings)}`);
}

describe('device settings', () => {
  const addresses: readonly (readonly [string, string])[] = [
    ['10.0.0.5', 'https://10.0.0.5'],
    [' 10.0.0.5 ', 'https://10.0.0.5'],
    ['10.0.0.5:8443', 'https://10.0.0.5:8443'],
    ['10.0.0.5:443', 'https://10.0.0.5'],
    ['door.example', 'https://door.example'],
    ['Door.Example:80', 'https://door.example:80'],
    ['http://10.0.0.5', 'http://10.0.0.5'],
    ['HTTP://10.0.0.5:80/', 'http://10.0.0.5'],
    ['https://10.0.0.5/', 'https://10.0.0.5'],
    ['https://proxy.example/algo/1/', 'https://proxy.example/algo/1'],
    ['proxy.example/algo', 'https://proxy.example/algo'],
    ['[fd00::5]', 'https://[fd00::5]'],
    ['[fd00::5]:8443', 'https://[fd00::5]:8443'],
    ['fd00::5', 'https://[fd00::5]'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
  ];
  for (const [address, url] of addresses) {
    it(`reads the address ${JSON.stringify(address)} as ${url}`, () => {
      assert.equal(new DeviceClient({ ...plain, address }).address, url);
    });
  }

  const unusable: readonly (readonly [string, RegExp])[] = [
    ['', wordingIn('reasons:noAddress')],
    ['  ', wordingIn('reasons:noAddress')],
    ['ftp://10.0.0.5', wordingIn('reasons:addressScheme', { scheme: 'ftp' })],
    ['https:/10.0.0.5', wordingIn('reasons:addressSlashes')],
    ['admin:secret-word@10.0.0.5', wordingIn('reasons:addressUser')],
    ['https://admin:secret-word@10.0.0.5', wordingIn('reasons:addressUser')],
    ['https://@10.0.0.5', wordingIn('reasons:addressUser')],
    ['https:admin:secret-word@10.0.0.5', wordingIn('reasons:addressUser')],
    ['http:/admin:secret-word@10.0.0.5', wordingIn('reasons:addressUser')],
    ['http//admin:secret-word@10.0.0.5', wordingIn('reasons:addressUser')],
    ['https:admin:a/secret-word@10.0.0.5', wordingIn('reasons:addressSlashes')],
    ['10.0.0.5?x=1', /query/],
    ['10.0.0.5#x', /fragment/],
    ['10.0.0 .5', /space/],
    ['10.0.0.5\\x', /backslash/],
    ['10.0.0.5:99999', wordingIn('reasons:addressUnreadable')],
    ['010.0.0.5', wordingIn('reasons:addressOctal', { host: '8.0.0.5' })],
    ['10.5', wordingIn('reasons:addressOctal', { host: '10.0.0.5' })],
    ['https://', wordingIn('reasons:addressUnreadable')],
    [`10.0.0.5/${'x'.repeat(2_048)}`, wordingIn('reasons:addressUnreadable')],
  ];
  for (const [address, words] of unusable) {
    it(`refuses the address ${JSON.stringify(address.slice(0, 40))}`, () => {
      assert.match(refusal({ address }), words);
    });
  }

  it('refuses a missing password and says why it may be missing', () => {
    for (const auth of ['standard', 'basic'] as const) {
      assert.match(refusal({ auth, password: '' }), wordingIn('reasons:noPassword'));
      const { password: _none, ...rest } = plain;
      assert.throws(() => new DeviceClient({ ...rest, auth }), wordingIn('reasons:noPassword'));
    }
    new DeviceClient({ ...plain, auth: 'none', password: '' });
  });

  it('refuses a pin without a SHA-256 fingerprint', () => {
    const digits = 'aB'.repeat(32);
    for (const fingerprint of ['', 'ab:cd', `${digits}0`, 'zz'.repeat(32)]) {
      assert.match(refusal({ certificate: 'pin', fingerprint }), wordingIn('reasons:fingerprintWrong'));
    }
    for (const fingerprint of [`sha1 Fingerprint=${digits}`, `sha256${digits}`, 'sha256 Fingerprint='])
      assert.match(refusal({ certificate: 'pin', fingerprint }), wordingIn('reasons:fingerprintWrong'));
    new DeviceClient({ ...plain, certificate: 'pin', fingerprint: digits });
    new DeviceClient({ ...plain, certificate: 'pin', fingerprint: digits.match(/../g)?.join(':') ?? '' });
  });

  it('refuses a pin where there is no certificate', () => {
    const pin = { certificate: 'pin', fingerprint: 'ab'.repeat(32) } as const;
    assert.match(refusal({ ...pin, address: 'http://10.0.0.5' }), wordingIn('reasons:pinnedPlain'));
  });

  it('refuses a time limit that is none', () => {
    for (const timeoutMs of [0, -1, Number.NaN])
      assert.match(refusal({ timeoutMs }), wordingIn('reasons:limitTooShort'));
  });
});
