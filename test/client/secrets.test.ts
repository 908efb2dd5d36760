import assert from 'node:assert/strict';
import { isPasswordName } from '../../src/catalogue/describe';
import { localized } from '../../src/catalogue/localized-message';
import { DeviceError } from '../../src/client/errors';
import { maskSecrets } from '../../src/client/secrets';

/** Texts of messages and devices with a secret, and how much of them an error shows. */
const cases: readonly (readonly [text: string, shown: string])[] = [
  ['{"api.admin.pwd":"s3cr3t"}', '{"api.admin.pwd":***'],
  ['{"api.admin.pwd" : ["s3cr3t"]}', '{"api.admin.pwd" :***'],
  ['["{\\"pwd\\":\\"s3cr3t\\"}"]', '["{\\"pwd\\":***'],
  ["{'password':'s3cr3t'}", "{'password':***"],
  ['api.admin.pwd = s3cr3t', 'api.admin.pwd =***'],
  ['{"api.admin.pwd=s3cr3t":["x"]}', '{"api.admin.pwd=***'],
  ['<password>s3cr3t</password>', '<password>***'],
  ['/bell?token=s3cr3t', '/bell?token=***'],
  ['{"psk":"s3cr3t"}', '{"psk":***'],
  ['Authorization: Basic s3cr3t', 'Authorization:***'],
  ['{"Authorization":["s3cr3t"]}', '{"Authorization":***'],
  ['X-Token: s3cr3t', 'X-Token:***'],
  ['http://admin:s3cr3t@192.0.2.1/a', 'http://***@192.0.2.1/a'],
  ['pwd=s3cr3t\nin the next line', 'pwd=***\nin the next line'],
  ['{\n "api.admin.pwd": [\n  "s3cr3t"\n ]\n}', '{\n "api.admin.pwd":***'],
  ['pwd:\n  s3cr3t', 'pwd:***'],
  ['Authorization: Basic *** and more', 'Authorization: Basic *** and more'],
  ['the password is wrong', 'the password is wrong'],
  ['api.admin.pwd must be text', 'api.admin.pwd must be text'],
];

describe('a text with a secret', () => {
  for (const [text, shown] of cases) {
    it(`is shown without it: ${JSON.stringify(text)}`, () => assert.equal(maskSecrets(text), shown));
  }
});

describe('the names of secrets', () => {
  const names = [
    ...['pwd', 'api.admin.pwd', 'passwd', 'Password', 'vpn.passphrase', 'secret', 'x.secret.old', 'token'],
    ...[
      'sip.token.old',
      'psk',
      'wifi.psk2',
      'authorization',
      'sip.u1.pass',
      'KEY',
      'tls.key',
      'a_key',
      'a-key',
    ],
    ...['monkey', 'keyboard', 'tls.key.file', 'audio.page.vol', 'compass.on', 'bypass'],
  ];
  for (const name of names)
    it(`are the same for a value and in a text: ${name}`, () => {
      const isMasked = maskSecrets(`${name}: s3cr3t`) === `${name}:***`;
      assert.equal(isMasked, isPasswordName(name));
    });
});

describe('an error', () => {
  for (const [text, shown] of cases.slice(0, 4)) {
    it(`has no secret, in English and in other languages: ${text}`, () => {
      const reason = localized('wrongJson', { name: 'parameters', words: text });
      const nested = localized('next', { before: 'a', next: reason });
      const error = new DeviceError('INVALID_PARAMETER', nested);
      const expected = localized('wrongJson', { name: 'parameters', words: shown });
      assert.equal(error.message, String(localized('next', { before: 'a', next: expected })));
      assert.doesNotMatch(JSON.stringify(error.localizedMessage), /s3cr3t/);
      assert.equal(
        new DeviceError('PROTOCOL', `the device said ${text}`).message,
        `the device said ${shown}`,
      );
    });
  }
});
