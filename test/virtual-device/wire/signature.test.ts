import assert from 'node:assert/strict';
import crypto, { createHash } from 'node:crypto';
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
async function signedOver(fixture: DeviceFixture, input: string, change: object = {}): Promise<LogEntry> {
  const digest = hmac('secret', [input]);
  const headers = {
    Authorization: `hmac admin:4711:${digest}`,
    Date: new Date(NOON).toUTCString(),
    'Content-Type': 'application/json',
    'Content-MD5': MD5,
    ...change,
  };
  await send(fixture.address, 'POST', PATH, headers, Buffer.from(BODY));
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
    [`POST:${PATH}:${SECONDS}:4711`, /the body was left out/],
    [`POST:${PATH}:${base64}:application/json:${SECONDS}:4711`, /base64/],
    [`POST:${PATH}:${MD5}:${SECONDS}:4711`, /without the content type/],
    [`POST:${PATH}:${MD5}:application/json:${NOON}:4711`, /milliseconds/],
    [`POST:${PATH}:${MD5}:application/json:Mon, 28 Sep 2020 17:07:18 GMT:4711`, /text of the Date header/],
    [`post:${PATH}:${MD5}:application/json:${SECONDS}:4711`, /lower case/],
    [`POST:${PATH}:${MD5}:application/json:${SECONDS - 1}:4711`, /1 s before .* read the clock once/],
    [`POST:${PATH}:${MD5}:application/json:${SECONDS + 5}:4711`, /5 s after .* read the clock once/],
    [`POST:${PATH}:${MD5}:application/json:${SECONDS - 7200}:4711`, /7200 s before .* in GMT/],
    [`POST:${PATH}:${MD5.toUpperCase()}:application/json:${SECONDS}:4711`, /MD5 was signed in capitals/],
    [`POST:${PATH}:${MD5}:application/json:4711:${SECONDS}`, /the other order/],
    [`POST:${PATH.slice(1)}:${MD5}:application/json:${SECONDS}:4711`, /without the slash/],
  ];
  for (const [input, finding] of cases)
    it(`finds the mistake: ${finding.source}`, () =>
      withDevice(device, async (fixture) => {
        const { signature } = await signedOver(fixture, input);
        assert.match(signature?.finding ?? '', finding);
        assert.equal(signature?.signed, input);
      }));

  const hex = hmac('secret', [right]);
  const digest = Buffer.from(hex, 'hex');
  const headers: readonly [string, object, RegExp][] = [
    ['no header', { Authorization: '' }, /the header Authorization is missing/],
    ['Basic', { Authorization: 'Basic YWRtaW46c2VjcmV0' }, /requires Standard authentication/],
    ['HMAC', { Authorization: `HMAC admin:4711:${hex}` }, /in lower case/],
    ['a colon in the nonce', { Authorization: `hmac admin:47:11:${hex}` }, /nonce must not hold a colon/],
    ['no nonce', { Authorization: `hmac admin:${hex}` }, /username, nonce and signature/],
    [
      'base64',
      { Authorization: `hmac admin:4711:${digest.toString('base64')}` },
      /signature is written as base64/,
    ],
    [
      'capitals',
      { Authorization: `hmac admin:4711:${hex.toUpperCase()}` },
      /signature is written in capitals/,
    ],
    ['another user', { Authorization: `hmac root:4711:${hex}` }, /username must be admin/],
    ['an MD5 in capitals', { 'Content-MD5': MD5.toUpperCase() }, /Content-MD5 is written in capitals/],
    ['an MD5 as base64', { 'Content-MD5': base64 }, /Content-MD5 is base64/],
    ['no MD5', { 'Content-MD5': [] }, /only the header Content-MD5 is missing/],
  ];
  for (const [what, change, finding] of headers)
    it(`finds the mistake in the headers: ${what}`, () =>
      withDevice(device, async (fixture) => {
        const entry = await signedOver(fixture, right, change);
        assert.equal(entry.status, 403);
        assert.match(entry.signature?.finding ?? '', finding);
      }));

  it('finds that the body was changed after it was signed, and a type that was signed in part', () =>
    withDevice(device, async (fixture) => {
      const other = '0123456789abcdef0123456789abcdef';
      const before = right.replace(MD5, other);
      const { signature } = await signedOver(fixture, before, { 'Content-MD5': other });
      assert.match(signature?.finding ?? '', /body was changed after it was signed/);
      assert.equal(signature?.signed, before);
      const partly = await signedOver(fixture, right, { 'Content-Type': 'application/json; charset=utf-8' });
      assert.match(partly.signature?.finding ?? '', /without its parameters, which follow the semicolon/);
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
          /path was signed escaped in another way than it was sent/,
        );
        assert.match(entry?.signature?.signed ?? '', /^GET:/);
      }
    }));

  it('does not blame the password when only the clock is off, and sees a line break behind the password', () =>
    withDevice(device, async (fixture) => {
      await fixture.sendJson('GET /api/info/about', undefined, { password: 'secret', now: NOON + 31_000 });
      await fixture.sendJson('GET /api/info/about', undefined, { password: 'secret\n' });
      const [late, broken] = fixture.device.log;
      assert.match(late?.signature?.finding ?? '', /signature is right, only the clocks are too far apart/);
      assert.match(broken?.signature?.finding ?? '', /line break/);
    }));

  it('is worked out when somebody wants to know, once', async () => {
    const { createHmac: real } = crypto;
    let made = 0;
    crypto.createHmac = (...given) => {
      made += 1;
      return real(...given);
    };
    try {
      await withDevice(device, async (fixture) => {
        const entry = await signedOver(fixture, 'anything');
        assert.ok(made <= 3, `${made} signatures were made to refuse one`);
        assert.equal(entry.signature?.finding, undefined);
        const explained = made;
        assert.ok(explained > 100, `${made} signatures were made to explain it`);
        assert.equal(entry.signature?.finding, undefined);
        assert.equal(made, explained);
      });
    } finally {
      crypto.createHmac = real;
    }
  });

  it('tells the factory password from another one, and a clock that is off', () =>
    withDevice(device, async (fixture) => {
      await fixture.sendJson('GET /api/info/about', undefined, { password: 'algo', now: NOON - 60_000 });
      const { signature } = fixture.device.log[0] ?? {};
      assert.match(signature?.finding ?? '', /factory password/);
      assert.equal(signature?.clockDifference, -60);
    }));
});
