import assert from 'node:assert/strict';
import { fingerprintOf } from '../../src/catalogue/fingerprint';

const digits = '0123456789ABCDEF'.repeat(4);
const pairs = digits.match(/../g) ?? [];

describe('a SHA-256 fingerprint', () => {
  const written = [
    digits,
    digits.toLowerCase(),
    pairs.join(':'),
    pairs.join('-').toLowerCase(),
    pairs.join(' '),
    ` ${pairs.join(':')}\n`,
    `sha256 Fingerprint=${pairs.join(':')}`,
    `SHA256 Fingerprint=${pairs.join(':')}`,
    `SHA-256 Fingerprint: ${pairs.join(' ')}`,
    `sha256:${digits.toLowerCase()}`,
    `SHA-256: ${digits}`,
  ];
  for (const text of written) {
    it(`may be written ${JSON.stringify(text.slice(0, 30))}…`, () => {
      assert.equal(fingerprintOf(text), digits);
    });
  }

  const others = [
    '',
    'sha256 Fingerprint=',
    `${digits}0`,
    digits.slice(1),
    `${digits.slice(1)}G`,
    `sha1 Fingerprint=${digits}`,
    `sha512:${digits}`,
    `sha256${digits}`,
    `Fingerprint of sha256=${digits}`,
  ];
  for (const text of others) {
    it(`is not ${JSON.stringify(text.slice(0, 30))} of ${text.length} characters`, () => {
      assert.equal(fingerprintOf(text), '');
    });
  }
});
