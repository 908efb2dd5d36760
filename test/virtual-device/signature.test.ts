import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import type { LogEntry } from '../../src/virtual-device/log';
import { type Bench, NOON, withDevice } from './bench';
import { send, tell } from './signer';

const PATH = '/api/controls/tone/start';
const BODY = '{"path":"page-notif.wav", "loop":false}';
/** MD5 of the body, from field-notes.md section 1. */
const MD5 = '6e43c05d82f71e77c586e29edb93b129';
const SECONDS = NOON / 1000;

/** Sends the body with a signature over any text. */
async function signedOver(bench: Bench, input: string, change: object = {}): Promise<LogEntry> {
  const digest = createHmac('sha256', 'secret').update(input).digest('hex');
  const headers = {
    Authorization: `hmac admin:4711:${digest}`,
    Date: new Date(NOON).toUTCString(),
    'Content-Type': 'application/json',
    'Content-MD5': MD5,
    ...change,
  };
  await send(bench.address, 'POST', PATH, headers, Buffer.from(BODY));
  const entry = bench.device.log.at(-1);
  assert.ok(entry);
  return entry;
}

describe('why a signature was refused', () => {
  const right = `POST:${PATH}:${MD5}:application/json:${SECONDS}:4711`;
  const device = { password: 'secret' };

  it('says nothing about one that is right', () =>
    withDevice(device, async (bench) => {
      const entry = await signedOver(bench, right);
      assert.deepEqual([entry.status, entry.signature], [200, undefined]);
    }));

  it('shows what should have been signed beside what the headers say, and both hashes', () =>
    withDevice(device, async (bench) => {
      const { signature } = await signedOver(bench, 'anything', { 'Content-MD5': 'abc' });
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
    [`POST:${PATH}:${MD5}:application/json:${SECONDS - 1}:4711`, /read the clock once/],
  ];
  for (const [input, finding] of cases)
    it(`finds the mistake: ${finding.source}`, () =>
      withDevice(device, async (bench) => {
        const { signature } = await signedOver(bench, input);
        assert.match(signature?.finding ?? '', finding);
        assert.equal(signature?.signed, input);
      }));

  it('tells the factory password from another one, and a clock that is off', () =>
    withDevice(device, async (bench) => {
      await bench.tell('GET /api/info/about', undefined, { password: 'algo', now: NOON - 60_000 });
      const { signature } = bench.device.log[0] ?? {};
      assert.match(signature?.finding ?? '', /factory password/);
      assert.equal(signature?.clockDifference, -60);
    }));

  it('never tells the password or the right signature, neither of the device nor of a settings write', () =>
    withDevice({ password: 'hunter2' }, async ({ device: virtual, address }) => {
      const password = 'hunter2';
      const write = (body: unknown) => tell(address, 'PUT /api/settings', body, { password, now: NOON });
      await write({ 'api.admin.pwd': 31337 });
      await write({ 'api.admin.pwd': 'correct-horse' });
      await tell(address, 'PUT /api/settings?password=staple', {}, { password, now: NOON });
      const payload = '{"api.admin.pwd":"battery"}';
      await tell(address, 'POST /api/schedules', { payload }, { password: 'correct-horse', now: NOON });
      const said = JSON.stringify([virtual.log, virtual.snapshot()]);
      assert.equal(virtual.log.length, 4);
      for (const secret of ['hunter2', '31337', 'correct-horse', 'staple', 'battery'])
        assert.ok(!said.includes(secret), said);
    }));
});
