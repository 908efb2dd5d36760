import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { ask, send, sign } from '../../fixtures/signer';
import { type DeviceFixture, NOON, withDevice } from '../with-device';

const PATH = '/api/files/large.bin';
const TYPE = 'application/octet-stream';
const MEGABYTE = 1024 * 1024;
const MD5 = '0123456789abcdef0123456789abcdef';

/** Sends a head that announces a body, and nothing of the body yet. */
function announce(fixture: DeviceFixture, headers: Readonly<Record<string, string>>): ClientRequest {
  const { hostname, port } = new URL(fixture.address);
  const started = request({ host: hostname, port, method: 'PUT', path: PATH, headers, agent: false });
  started.on('error', () => undefined);
  started.flushHeaders();
  return started;
}

async function answerOf(started: ClientRequest): Promise<number | undefined> {
  const [response] = (await once(started, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

const large = { 'Content-Type': TYPE, 'Content-Length': String(60 * MEGABYTE) };

describe('the virtual device: large bodies', () => {
  const { Authorization: wrong = '' } = sign('PUT', PATH, { now: NOON, password: 'guessed' });
  const hopeless: readonly [string, object, Record<string, string>, RegExp][] = [
    ['an unsigned one', {}, {}, /Authorization.* is missing/],
    ['one without Content-MD5', {}, sign('PUT', PATH, { now: NOON }), /Content-MD5 is missing/],
    [
      'one whose signature cannot be right, whatever the body',
      {},
      { ...sign('PUT', PATH, { now: NOON }), Authorization: wrong, 'Content-MD5': MD5 },
      /signature does not match/,
    ],
    ['one with a wrong password', { auth: 'basic' }, { Authorization: 'Basic eDp5' }, /wrong username/],
  ];
  for (const [what, options, headers, reason] of hopeless)
    it(`refuses ${what} before any of it has come`, () =>
      withDevice(options, async (fixture) => {
        const started = announce(fixture, { ...large, ...headers });
        assert.equal(await answerOf(started), 403);
        started.destroy();
        const [entry] = fixture.device.log;
        assert.match(entry?.reason ?? '', reason);
        assert.deepEqual(entry?.parameters, { type: TYPE, bytes: 60 * MEGABYTE });
      }));

  it('refuses one of unknown length as soon as it is more than is worth a look', () =>
    withDevice({}, async (fixture) => {
      const started = announce(fixture, { 'Content-Type': TYPE, 'Transfer-Encoding': 'chunked' });
      started.write(Buffer.alloc(70_000));
      assert.equal(await answerOf(started), 403);
      started.destroy();
    }));

  it('refuses one while the interface is off, and one that is larger than it takes, before it has come', () =>
    withDevice({ auth: 'none' }, async (fixture) => {
      const larger = announce(fixture, { ...large, 'Content-Length': String(65 * MEGABYTE) });
      assert.equal(await answerOf(larger), 413);
      assert.match(fixture.device.log[0]?.reason ?? '', /more than 67108864 bytes/);
      fixture.device.controls.setInterface(false);
      const off = announce(fixture, large);
      assert.equal(await answerOf(off), 403);
      larger.destroy();
      off.destroy();
    }));

  it('refuses long JSON before it has come', () =>
    withDevice({ auth: 'none' }, async (fixture) => {
      for (const type of ['application/json', 'application/json; charset=utf-8']) {
        const json = { 'Content-Type': type, 'Content-Length': String(4 * MEGABYTE + 1) };
        const longer = announce(fixture, json);
        assert.equal(await answerOf(longer), 413, type);
        longer.destroy();
      }
      assert.match(fixture.device.log[0]?.reason ?? '', /more than 4194304 bytes/);
    }));

  it('parses no long JSON of another type', () =>
    withDevice({ auth: 'none' }, async ({ address }) => {
      const body = Buffer.alloc(4 * MEGABYTE + 1, '1');
      const { status, text } = await send(
        address,
        'PUT',
        '/api/settings',
        { 'Content-Type': 'text/plain' },
        body,
      );
      assert.deepEqual(
        [status, /more than 4194304 bytes of JSON/.test(text)],
        [400, true],
        text.slice(0, 200),
      );
    }));

  it('answers also those who send all of it first', () =>
    withDevice({}, async ({ address }) => {
      const body = Buffer.alloc(8 * MEGABYTE);
      const answers = await Promise.all([1, 2, 3].map(() => send(address, 'PUT', PATH, plain, body)));
      for (const { status, text } of answers)
        assert.deepEqual([status, JSON.parse(text)], [403, { error: 'Forbidden' }]);
    }));
  const plain = { 'Content-Type': TYPE };

  it('takes in what is signed well, and looks at a small one that is not', () =>
    withDevice({}, async (fixture) => {
      const body = Buffer.alloc(MEGABYTE, 'x');
      assert.equal((await ask(fixture.address, 'PUT', PATH, { now: NOON, type: TYPE, body })).status, 200);
      await send(
        fixture.address,
        'PUT',
        '/api/settings',
        { 'Content-Type': 'application/json' },
        Buffer.from('{}'),
      );
      assert.deepEqual(fixture.device.log[1]?.parameters, {});
    }));

  it('keeps a body of single bytes without a multiple of its size', () =>
    withDevice({ auth: 'none' }, async (fixture) => {
      const body = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
      const chunks = Buffer.concat([...body].map((byte) => Buffer.from([0x31, 13, 10, byte, 13, 10])));
      const { hostname, port } = new URL(fixture.address);
      const socket = connect(Number(port), hostname);
      const head = `PUT ${PATH} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: ${TYPE}\r\n`;
      socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`);
      socket.write(chunks);
      socket.end('0\r\n\r\n');
      const [answer] = await once(socket, 'data');
      assert.match(String(answer), /^HTTP\/1.1 200/);
      socket.destroy();
      const { data } = await ask(fixture.address, 'GET', PATH);
      assert.ok(body.equals(data));
    }));

  it('holds so much at once, refuses more, and takes it again when there is room', () =>
    withDevice({ auth: 'none' }, async (fixture) => {
      const half = [announce(fixture, large), announce(fixture, large)];
      for (const started of half)
        await new Promise((resolve) => started.write(Buffer.alloc(59 * MEGABYTE), resolve));
      const upload = () =>
        ask(fixture.address, 'PUT', PATH, { type: TYPE, body: Buffer.alloc(20 * MEGABYTE) });
      assert.equal((await upload()).status, 503);
      assert.match(fixture.device.log.at(-1)?.reason ?? '', /too many bytes in parallel/);
      const [first] = half;
      assert.ok(first);
      const answered = answerOf(first);
      first.end(Buffer.alloc(MEGABYTE));
      assert.equal(await answered, 200);
      assert.equal((await upload()).status, 200);
      for (const started of half) started.destroy();
    }));

  it('says to one who asks first whether to send it', () =>
    withDevice({}, async (fixture) => {
      const expect = { Expect: '100-continue' };
      const refused = announce(fixture, { ...large, ...expect });
      let continued = false;
      refused.on('continue', () => {
        continued = true;
      });
      assert.equal(await answerOf(refused), 403);
      assert.equal(continued, false);
      refused.destroy();
      const body = Buffer.alloc(100_000);
      const headers = sign('PUT', PATH, { now: NOON, type: TYPE, body });
      const asked = announce(fixture, { ...headers, 'Content-Length': '100000', ...expect });
      await once(asked, 'continue');
      asked.end(body);
      assert.equal(await answerOf(asked), 200);
    }));
});
