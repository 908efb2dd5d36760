import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import helper from 'node-red-node-test-helper';
import { serveWithoutUpgrade } from '../../src/runtime/webhook/upgrade';
import { makeCertificate } from '../fixtures/certificates';
import { Hooks, hook } from './hooks';

const h2c =
  'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n';
const webSocket =
  'Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

const statuses = (answer: string) => [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);

interface Inside {
  readonly _server: Server;
}

describe('webhook: requests that ask for another protocol', () => {
  let hooks: Hooks;
  beforeEach(() => {
    hooks = new Hooks();
  });
  afterEach(() => hooks.stop());

  /** Starts a webhook on a server that has listeners for other protocols, as that of Node-RED. */
  const start = async (onUpgrade = (_socket: Socket) => {}) => {
    await hooks.start([hook('bell', { auth: 'none', path: '/bell' })]);
    (helper as unknown as Inside)._server.on('upgrade', (_request, socket: Socket) => onUpgrade(socket));
  };

  for (const [what, headers] of [
    ['h2c', h2c],
    ['websocket', webSocket],
  ] as const) {
    it(`are answered as if they did not: ${what}`, async () => {
      await start();
      const head = `POST /bell HTTP/1.1\r\nHost: x\r\n${headers}Content-Length: 7\r\n\r\n`;
      const whole = await hooks.raw(`${head}{"n":1}`);
      assert.match(whole, /^HTTP\/1\.1 200 [\s\S]*Connection: close/);
      const inTwo = await hooks.raw(`${head}{"n"`, (write) => setImmediate(() => write(':2}')));
      assert.deepEqual(statuses(inTwo), ['200']);
      const calls = await hooks.calls(2);
      assert.deepEqual(
        calls.map(({ payload }) => payload),
        [{ n: 1 }, { n: 2 }],
      );
    });
  }

  it('are answered without another listener, also where no webhook is', async () => {
    await hooks.start([hook('bell', { auth: 'none', path: '/bell' })]);
    const { _server: server } = helper as unknown as Inside;
    for (const other of server.listeners('upgrade').slice(0, -1)) server.off('upgrade', other as () => void);
    const answer = await hooks.raw(`GET /bell HTTP/1.1\r\nHost: x\r\n${h2c}\r\n`);
    assert.deepEqual(statuses(answer), ['200']);
    const other = await hooks.raw(`GET /other HTTP/1.1\r\nHost: x\r\n${h2c}\r\n`);
    assert.deepEqual(statuses(other), ['200']);
    await hooks.calls(1);
    assert.deepEqual(hooks.passed, ['/other']);
  });

  it('are left to a listener that takes them, and elsewhere to all', async () => {
    await start((socket) => void socket.end('HTTP/1.1 299 Taken\r\n\r\n'));
    for (const path of ['/bell', '/other']) {
      const answer = await hooks.raw(`GET ${path} HTTP/1.1\r\nHost: x\r\n${webSocket}\r\n`);
      assert.deepEqual(statuses(answer), ['299']);
    }
    assert.deepEqual(hooks.first, []);
  });

  it('end the connection while an earlier request has no answer', async () => {
    await start();
    const first = 'GET /bell HTTP/1.1\r\nHost: x\r\n\r\n';
    const answer = await hooks.raw(`${first}GET /bell/second HTTP/1.1\r\nHost: x\r\n${h2c}\r\n`);
    assert.ok(statuses(answer).length <= 1, answer);
  });

  it('are answered over https', async () => {
    const { key, cert } = await makeCertificate();
    const server = createTlsServer({ key, cert }, (request, response) => {
      request.resume().on('end', () => response.end(request.url));
    });
    server.on('upgrade', (request, socket: Socket, head) =>
      serveWithoutUpgrade(server, request, socket, head),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
    let answer = '';
    socket.on('data', (data) => {
      answer += data;
    });
    socket.write(`POST /bell HTTP/1.1\r\nHost: x\r\n${h2c}Content-Length: 2\r\n\r\n{}`);
    await once(socket, 'close');
    assert.deepEqual(statuses(answer), ['200']);
    server.close();
    await once(server, 'close');
  });

  it('end with their connection', async () => {
    const server = createServer(() => assert.fail('the connection is closed'));
    const broken = new Socket().destroy();
    serveWithoutUpgrade(server, new IncomingMessage(broken), broken, Buffer.alloc(0));
    await new Promise((resolve) => setImmediate(resolve));
  });
});
