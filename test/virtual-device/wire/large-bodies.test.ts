import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { ask, send } from '../../fixtures/signer';
import { type DeviceFixture, withDevice } from '../with-device';

const PATH = '/api/files/large.bin';
const TYPE = 'application/octet-stream';
const MEGABYTE = 1024 * 1024;

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

describe('the virtual device: large bodies', () => {
  it('refuses one that is larger than it takes, before it has come', () =>
    withDevice({ auth: 'none' }, async (fixture) => {
      const larger = announce(fixture, { 'Content-Type': TYPE, 'Content-Length': String(65 * MEGABYTE) });
      assert.equal(await answerOf(larger), 413);
      const [entry] = fixture.device.log;
      assert.match(entry?.reason ?? '', /more than 67108864 bytes/);
      assert.deepEqual(entry?.parameters, { type: TYPE, bytes: 65 * MEGABYTE });
      larger.destroy();
    }));

  it('refuses one of unknown length as soon as it is larger', () =>
    withDevice({ auth: 'none' }, async (fixture) => {
      const started = announce(fixture, { 'Content-Type': TYPE, 'Transfer-Encoding': 'chunked' });
      started.write(Buffer.alloc(65 * MEGABYTE));
      assert.equal(await answerOf(started), 413);
      started.destroy();
    }));

  it('parses no long JSON', () =>
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

  it('takes a body of single bytes', () =>
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
});
