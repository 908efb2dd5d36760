import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { LogEntry } from '../../../src/virtual-device/log/entry';
import { send, sendJson } from '../../fixtures/signer';
import { hmac } from '../../fixtures/signing';
import { type DeviceFixture, NOON, withDevice } from '../with-device';

const PATH = '/api/controls/tone/start';
const BODY = '{"path":"page-notif.wav", "loop":false}';
/** MD5 of the body, from docs/field-notes.md section 1. */
const MD5 = '6e43c05d82f71e77c586e29edb93b129';
const SECONDS = NOON / 1000;

/** Sends the body with a signature over any text. */
async function signedOver(
  fixture: DeviceFixture,
  input: string,
  change: object = {},
  target = PATH,
): Promise<LogEntry> {
  const digest = hmac('secret', [input]);
  const headers = {
    Authorization: `hmac admin:4711:${digest}`,
    Date: new Date(NOON).toUTCString(),
    'Content-Type': 'application/json',
    'Content-MD5': MD5,
    ...change,
  };
  await send(fixture.address, 'POST', target, headers, Buffer.from(BODY));
  const entry = fixture.device.log.at(-1);
  assert.ok(entry);
  return entry;
}

describe('why a signature was refused', () => {
  const right = `POST:${PATH}:${MD5}:application/json:${SECONDS}:4711`;
  const device = { password: 'secret' };

  it('says nothing about one that is right', () =>
    withDevice(device, async (fixture) => {
      const entry = await signedOver(fixture, right);
      assert.deepEqual([entry.status, entry.signature], [200, undefined]);
    }));

  it('shows what should have been signed beside what the headers say, and both hashes', () =>
    withDevice(device, async (fixture) => {
      const { signature } = await signedOver(fixture, 'anything', { 'Content-MD5': 'abc' });
      assert.deepEqual(signature, {
        expected: [right],
        implied: `POST:${PATH}:abc:application/json:${SECONDS}:4711`,
        clockDifference: 0,
        tolerance: 30,
        md5: { sent: 'abc', actual: MD5 },
      });
    }));

  const base64 = createHash('md5').update(BODY).digest('base64');
  const cases: readonly [string, RegExp][] = [
    [`POST:${PATH}?a=b:${MD5}:application/json:${SECONDS}:4711`, /another URI .* without its query/],
    [`POST:${PATH}:${SECONDS}:4711`, /another MD5 was signed, or none/],
    [`POST:${PATH}:${base64}:application/json:${SECONDS}:4711`, /another MD5 .* lowercase hexadecimal/],
    [`POST:${PATH}:${MD5.toUpperCase()}:application/json:${SECONDS}:4711`, /another MD5/],
    [`POST:${PATH}:${MD5}:${SECONDS}:4711`, /another content type was signed, or none/],
  ];
  for (const [input, finding] of cases)
    it(`finds the mistake in ${input}: ${finding.source}`, () =>
      withDevice(device, async (fixture) => {
        const target = input.includes('?') ? `${PATH}?a=b` : PATH;
        const { signature } = await signedOver(fixture, input, {}, target);
        assert.match(signature?.finding ?? '', finding);
        assert.equal(signature?.signed, input);
      }));

  it('finds a whole URL that was signed', () =>
    withDevice(device, async (fixture) => {
      const { signature } = await signedOver(fixture, right.replace('/', `${fixture.address}/`));
      assert.match(signature?.finding ?? '', /another URI was signed/);
    }));

  const hex = hmac('secret', [right]);
  const headers: readonly [string, object, RegExp][] = [
    ['no header', { Authorization: '' }, /"Authorization: hmac .*" is missing or malformed/],
    [
      'Basic',
      { Authorization: 'Basic YWRtaW46c2VjcmV0' },
      /"Authorization: hmac .*" is missing or malformed/,
    ],
    ['capitals', { Authorization: `hmac admin:4711:${hex.toUpperCase()}` }, /is missing or malformed/],
    ['another user', { Authorization: `hmac root:4711:${hex}` }, /username must be admin/],
    ['an MD5 as base64', { 'Content-MD5': base64 }, /Content-MD5 is .*, but the body's MD5 is/],
    ['no MD5', { 'Content-MD5': [] }, /the header Content-MD5 is missing/],
  ];
  for (const [what, change, reason] of headers)
    it(`names the header that is wrong: ${what}`, () =>
      withDevice(device, async (fixture) => {
        const entry = await signedOver(fixture, right, change);
        assert.equal(entry.status, 403);
        assert.match(entry.reason ?? '', reason);
        if (what.includes('MD5'))
          assert.match(entry.signature?.finding ?? '', /signature is right, only the header Content-MD5/);
      }));

  it('finds an MD5 of another body, and a content type that was signed in part', () =>
    withDevice(device, async (fixture) => {
      const other = '0123456789abcdef0123456789abcdef';
      const before = right.replace(MD5, other);
      const { signature } = await signedOver(fixture, before, { 'Content-MD5': other });
      assert.match(signature?.finding ?? '', /another MD5 was signed/);
      assert.equal(signature?.signed, before);
      const partly = await signedOver(fixture, right, { 'Content-Type': 'application/json; charset=utf-8' });
      assert.match(partly.signature?.finding ?? '', /another content type was signed/);
    }));

  const spellings: readonly [sent: string, signed: string][] = [
    ['/api/files/tones/School%20bell%20%C3%BC.wav', '/api/files/tones/School bell ü.wav'],
    ['/api/files/tones/a%23b.wav', '/api/files/tones/a#b.wav'],
    ['/api/files/tones/it%27s.wav', "/api/files/tones/it's.wav"],
  ];
  it('finds a path that was signed in another spelling than it was sent', () =>
    withDevice({ auth: 'standard' }, async ({ address, device: virtual }) => {
      for (const [sent, uri] of spellings) {
        await sendJson(address, `GET ${sent}`, undefined, { now: NOON, uri });
        const entry = virtual.log.at(-1);
        assert.equal(entry?.status, 403);
        assert.match(
          entry?.signature?.finding ?? '',
          /another URI was signed: the path is expected as it is sent/,
        );
        assert.match(entry?.signature?.signed ?? '', /^GET:/);
      }
    }));

  it('does not blame the password when only the clock is off', () =>
    withDevice(device, async (fixture) => {
      await fixture.sendJson('GET /api/info/about', undefined, { password: 'secret', now: NOON + 31_000 });
      const [late] = fixture.device.log;
      assert.match(late?.signature?.finding ?? '', /signature is right, only the clocks are too far apart/);
    }));

  it('tells the factory password from another one, and a clock that is off', () =>
    withDevice(device, async (fixture) => {
      await fixture.sendJson('GET /api/info/about', undefined, { password: 'algo', now: NOON - 60_000 });
      const { signature } = fixture.device.log[0] ?? {};
      assert.match(signature?.finding ?? '', /factory password/);
      assert.equal(signature?.clockDifference, -60);
    }));
});
