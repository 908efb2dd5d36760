import assert from 'node:assert/strict';
import { DeviceClient, DeviceError, type DeviceSettings, operation } from '../../src/library';
import { makeCertificate } from '../fixtures/certificates';
import { failureOf } from '../fixtures/client-fixture';
import { wordingIn } from '../fixtures/wording';
import { LibraryFixture } from './library-fixture';

describe("the library's settings", () => {
  const fixture = new LibraryFixture();

  afterEach(() => fixture.clear());

  it('need an address only; a device then is asked over https, signed, and its certificate verified', async () => {
    const { key, cert } = await makeCertificate();
    const address = await fixture.https({ key, cert }, (_seen, response) => response.end());
    const client = fixture.program({ address, password: 'secret' });
    assert.equal((await failureOf(client.call(operation('info/about')))).code, 'TLS_UNTRUSTED');
    assert.equal(fixture.program({ address: '192.0.2.1', password: 'x' }).address, 'https://192.0.2.1');
    assert.deepEqual(fixture.seen, []);
  });

  it('pin a certificate', async () => {
    const { key, cert, fingerprint } = await makeCertificate();
    const address = await fixture.https({ key, cert }, (_seen, response) => response.end('{}'));
    const pinned = { address, password: 'secret', certificate: 'pin' } as const;
    const right = fixture.program({ ...pinned, fingerprint });
    assert.equal((await right.call(operation('info/about'))).statusCode, 200);
    const wrong = fixture.program({ ...pinned, fingerprint: 'AB'.repeat(32) });
    const error = await failureOf(wrong.call(operation('info/about')));
    assert.equal(error.code, 'TLS_UNTRUSTED');
    assert.ok(error.message.includes(fingerprint));
    assert.equal(fixture.seen.length, 1);
  });

  const address = '192.0.2.1';
  const password = 'open-sesame';
  const refused: readonly [title: string, settings: unknown, sentence: RegExp][] = [
    ['none at all', undefined, /settings/],
    ['no address', { password }, /address/],
    ['an address that is no text', { address: new URL('http://192.0.2.1'), password }, /address/],
    [
      'a login in the address',
      { address: `https://admin:${password}@192.0.2.1`, auth: 'none' },
      wordingIn('reasons:addressUser'),
    ],
    ['no password', { address }, /^its password is missing; .*"password"/],
    ['no password, of a device with a name', { name: 'Gate', address }, /"Gate".*"password"/],
    ['a password that is no text', { address, password: 1234 }, /its password must be a text/],
    ['a method that there is not', { address, password, auth: 'digest' }, /standard, basic, none.*digest/],
    ['a trust that there is not', { address, password, certificate: 'Any' }, /verify, pin, any.*Any/],
    ['a pin without a fingerprint', { address, password, certificate: 'pin' }, /fingerprint/],
    ['seconds in the place of milliseconds', { address, password, timeout: 5 }, /no setting "timeout"/],
    ['a limit that is a text', { address, password, timeoutMs: '5000' }, /timeoutMs must be a number/],
    ['a limit that has passed', { address, password, timeoutMs: 0 }, wordingIn('reasons:limitTooShort')],
    ['null', { address, password, fingerprint: null }, /fingerprint must be a text/],
  ];
  for (const [title, settings, sentence] of refused) {
    it(`are refused: ${title}`, () => {
      assert.throws(
        () => new DeviceClient(settings as DeviceSettings),
        (error) => {
          assert.ok(error instanceof DeviceError, String(error));
          assert.equal(error.code, 'NOT_CONFIGURED');
          assert.match(error.message, sentence);
          assert.ok(!error.message.includes(password), error.message);
          return true;
        },
      );
    });
  }
});
