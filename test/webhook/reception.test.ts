import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { realClock } from '../../src/kernel/time/clock';
import { Reception } from '../../src/runtime/webhook/reception';
import type { WebhookProperties } from '../../src/runtime/webhook/settings';
import { send, sign } from '../fixtures/signer';
import { VirtualClock } from '../fixtures/virtual-clock';
import { Waiting } from '../fixtures/waiting';
import { Kept } from './kept';

describe('webhook: the reception', () => {
  let clock: VirtualClock;
  const warnings: string[] = [];
  const passed: (string | undefined)[] = [];
  const seen: IncomingMessage[] = [];
  const responses: ServerResponse[] = [];
  const waiting = new Waiting(() => JSON.stringify({ warnings, passed }));
  const sockets: Socket[] = [];
  const now = Date.parse('2026-11-26T12:00:00Z');
  let reception: Reception;
  let server: Server;
  let url = '';

  beforeEach(async () => {
    clock = new VirtualClock();
    passed.length = 0;
    seen.length = 0;
    responses.length = 0;
    reception = new Reception((line) => void warnings.push(line), {
      ...realClock,
      now: () => now,
      monotonic: () => clock.monotonic(),
      after(ms, task) {
        const cancel = clock.after(ms, task);
        waiting.look();
        return () => {
          cancel();
          waiting.look();
        };
      },
    });
    server = createServer((request, response) => {
      seen.push(request);
      responses.push(response);
      const from = request.headers['x-from'];
      if (from !== undefined) Object.defineProperty(request.socket, 'remoteAddress', { value: from });
      request.on('close', waiting.look);
      reception.handle(request, response, () => {
        passed.push(request.url);
        waiting.look();
        response.end('passed');
      });
      waiting.look();
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    assert.deepEqual(warnings, []);
  });

  /** Opens a node, and ends the deploy. */
  const open = (id: string, properties: WebhookProperties) => {
    const kept = new Kept(id, properties, waiting.look);
    reception.open(kept);
    reception.settle(() => 0);
    return kept;
  };

  /** Opens a connection, and keeps what comes back. */
  const dial = async (bytes: string) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    sockets.push(socket);
    const dialled = { socket, answer: '', isClosed: false };
    socket.on('data', (data) => {
      dialled.answer += data;
      waiting.look();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      dialled.isClosed = true;
      waiting.look();
    });
    socket.write(bytes);
    return dialled;
  };

  it('cuts a client off that sends a byte a second, after 10 s', async () => {
    const kept = open('a', { path: '/a', auth: 'none' });
    const slow = await dial('POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n');
    await waiting.until('the time of the body runs', () => clock.pending === 1);
    for (let second = 1; second < 10; second += 1) {
      slow.socket.write('x');
      clock.advance(1_000);
    }
    clock.advance(999);
    assert.equal(slow.answer, '');
    clock.advance(1);
    await waiting.until('there is an answer', () => slow.answer.includes('\r\n\r\n{'));
    assert.match(slow.answer, /^HTTP\/1\.1 408 [\s\S]*Connection: close/);
    assert.deepEqual(
      kept.refused.map(({ reason }) => reason),
      ['body'],
    );
    clock.advance(10_000);
    await waiting.until('the connection is closed', () => slow.isClosed);
    assert.equal(clock.pending, 0);
    assert.deepEqual(kept.accepted, []);
  });

  it('drops a request whose sender goes away, without a word', async () => {
    const kept = open('a', { path: '/a', auth: 'none' });
    const gone = await dial('POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nx');
    await waiting.until('the time of the body runs', () => clock.pending === 1);
    gone.socket.resetAndDestroy();
    await waiting.until('nothing waits any more', () => clock.pending === 0);
    assert.equal((await send(url, 'GET', '/a', {})).status, 200);
    assert.equal(kept.accepted.length, 1);
    assert.deepEqual(kept.refused, []);
  });

  it('asks for the rate, the address, the method, the size and the login, in this order', async () => {
    const kept = open('a', { path: '/a' });
    const large = 'x'.repeat(64 * 1024 + 1);
    const ask = async (method: string, body = '') =>
      (await send(url, method, '/a', {}, Buffer.from(body)).catch(() => {}))?.status;
    kept.mayCall = () => false;
    assert.equal(await ask('DELETE', large), 403);
    kept.mayCall = () => true;
    assert.equal(await ask('DELETE', large), 405);
    assert.equal(await ask('POST', large), 413);
    for (let time = 0; time < 97; time += 1) assert.equal(await ask('POST'), 401);
    kept.mayCall = () => false;
    assert.equal(await ask('DELETE'), 429);
    const reasons = kept.refused.map(({ reason }) => reason);
    assert.deepEqual(
      reasons.filter((reason, place) => reason !== reasons[place - 1]),
      ['address', 'size', 'signature', 'rate'],
    );
  });

  it('answers 100 requests a second from one address and 2,000 in all', async () => {
    const kept = open('a', { path: '/a', auth: 'none' });
    const statuses: string[] = [];
    for (let n = 0; n <= 22; n += 1) {
      const one = `GET /a HTTP/1.1\r\nHost: x\r\nX-From: 10.0.0.${n}\r\n`;
      const dialled = await dial(`${`${one}\r\n`.repeat(100)}${one}Connection: close\r\n\r\n`);
      await waiting.until('all are answered', () => dialled.isClosed);
      const answered = dialled.answer.match(/HTTP\/1\.1 200/g)?.length ?? 0;
      assert.equal(answered, n < 20 ? 100 : 0, `10.0.0.${n}`);
      statuses.push(...(dialled.answer.match(/HTTP\/1\.1 \d+/g) ?? []));
    }
    assert.deepEqual([...new Set(statuses)], ['HTTP/1.1 200', 'HTTP/1.1 429']);
    assert.equal(kept.accepted.length, 2_000);
    clock.advance(1_000);
    assert.equal((await send(url, 'GET', '/a', {})).status, 200);
  });

  it('tolerates a difference of the clocks of 30 s by default', async () => {
    open('a', { path: '/a' });
    const ask = async (ahead: number) =>
      (await send(url, 'GET', '/a', sign('GET', '/a', { password: 'sesame', now: now + ahead }))).status;
    assert.deepEqual([await ask(30_000), await ask(-30_000)], [200, 200]);
    assert.deepEqual([await ask(31_000), await ask(-31_000)], [401, 401]);
  });

  it('answers before the flow runs', async () => {
    const kept = open('a', { path: '/a', auth: 'none' });
    let isAnswered: boolean | undefined;
    kept.accept = () => {
      isAnswered = responses.at(-1)?.writableEnded;
    };
    assert.equal((await send(url, 'GET', '/a', {})).status, 200);
    assert.equal(isAnswered, true);
  });

  it('checks a request whose body comes over a deploy against the settings of after it, and loses none', async () => {
    for (const [token, status, taken] of [
      ['old', 401, 0],
      ['new', 200, 1],
    ] as const) {
      const before = open('a', { path: '/a', auth: 'token' });
      Object.assign(before.settings, { password: 'old' });
      const head = `POST /a HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: 2\r\n\r\n`;
      const { socket } = await dial(`${head}a`);
      const answered = new Promise<string>((resolve) => socket.on('data', (data) => resolve(String(data))));
      await waiting.until('the body is awaited', () => clock.pending === 1);
      reception.close(before);
      const after = open('a', { path: '/a', auth: 'token' });
      Object.assign(after.settings, { password: 'new' });
      socket.write('b');
      assert.match(await answered, new RegExp(`^HTTP/1.1 ${status} `));
      assert.deepEqual([before.accepted.length, after.accepted.length], [0, taken]);
      assert.deepEqual([before.refused.length, after.refused.length], [0, 1 - taken]);
      reception.close(after);
    }
  });

  it('keeps a request until the host names of callers are looked up after a deploy', async () => {
    reception.close(open('a', { path: '/a', auth: 'none' }));
    const answer = send(url, 'POST', '/a', {}, Buffer.from('{}'));
    await waiting.until('the request waits', () => seen[0]?.complete === true);
    const after = new Kept('a', { path: '/a', auth: 'none' }, waiting.look);
    let found = () => {};
    after.mayCall = () => false;
    after.settled = () =>
      new Promise((resolve) => {
        found = resolve;
      });
    reception.open(after);
    reception.settle(() => 0);
    await new Promise(setImmediate);
    after.mayCall = () => true;
    found();
    assert.equal((await answer).status, 200);
    assert.equal(after.accepted.length, 1);
  });

  it('says that there is no webhook if a deploy removes it while the body comes', async () => {
    const before = open('a', { path: '/a', auth: 'none' });
    const dialled = await dial('POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{');
    await waiting.until('the body is awaited', () => clock.pending === 1);
    reception.close(before);
    reception.settle(() => 0);
    dialled.socket.write('}');
    await waiting.until('there is an answer', () => dialled.answer.includes('\r\n\r\n{'));
    assert.match(dialled.answer, /^HTTP\/1\.1 404 /);
    assert.deepEqual(before.accepted, []);
  });

  it('answers over a Unix socket, whose other end is on this computer, and at addresses of both families', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'algo-socket-'));
    const socketPath = path.join(folder, 'node-red');
    const receive = (request: IncomingMessage, response: ServerResponse) =>
      reception.handle(request, response, () => {});
    const [local, dual] = [createServer(receive), createServer(receive)];
    await new Promise<void>((resolve) => void local.listen(socketPath, resolve));
    await new Promise<void>((resolve) => void dual.listen(0, resolve));
    try {
      const kept = open('a', { path: '/a', auth: 'none' });
      const status = await new Promise((resolve, reject) => {
        const request = httpRequest({ socketPath, path: '/a' }, (response) => {
          response.resume().on('end', () => resolve(response.statusCode));
        });
        request.on('error', reject).end();
      });
      assert.equal(status, 200);
      await send(`http://127.0.0.1:${(dual.address() as AddressInfo).port}`, 'GET', '/a', {});
      assert.deepEqual(
        kept.accepted.map(({ address }) => address),
        ['127.0.0.1', '127.0.0.1'],
      );
    } finally {
      for (const one of [local, dual]) await new Promise((resolve) => one.close(resolve));
      rmSync(folder, { recursive: true });
    }
  });

  it('decides many requests that have waited together in several turns, each once', async () => {
    const kept = open('a', { path: '/a', auth: 'none' });
    let turn = 0;
    const perTurn: number[] = [];
    kept.accept = () => {
      perTurn[turn] = (perTurn[turn] ?? 0) + 1;
      waiting.look();
    };
    reception.beginDeploy();
    const all = Array.from({ length: 200 }, (_, n) =>
      dial(`GET /a HTTP/1.1\r\nHost: x\r\nX-From: 10.0.0.${n % 3}\r\n\r\n`),
    );
    await Promise.all(all);
    await waiting.until('all wait', () => seen.length === 200 && seen.every(({ complete }) => complete));
    let isOver = false;
    const next = () => {
      turn += 1;
      if (!isOver) setImmediate(next);
    };
    setImmediate(next);
    reception.settle(() => 0);
    await waiting.until('all are accepted', () => perTurn.reduce((sum, one) => sum + one, 0) === 200);
    isOver = true;
    assert.ok(Math.max(...perTurn.filter(Boolean)) <= 100, JSON.stringify(perTurn));
  });

  it('answers 404 when a deploy removes the node of a request that waits, and leaves the next to Node-RED', async () => {
    reception.close(open('a', { path: '/a', auth: 'none' }));
    const answer = send(url, 'POST', '/a', {}, Buffer.from('{"n":1}'));
    await waiting.until('the request waits', () => seen[0]?.complete === true);
    reception.settle(() => 0);
    assert.equal((await answer).status, 404);
    assert.equal((await send(url, 'GET', '/a', {})).text, 'passed');
  });

  it('answers 404 after 10 s when the flows stay stopped, and leaves the next request to Node-RED', async () => {
    const before = open('a', { path: '/a', auth: 'none' });
    reception.close(before);
    const answer = send(url, 'GET', '/a', {});
    await waiting.until('the request waits', () => seen[0]?.complete === true && clock.pending === 1);
    clock.advance(10_000);
    assert.equal((await answer).status, 404);
    assert.equal((await send(url, 'GET', '/a', {})).text, 'passed');
    assert.equal(warnings.splice(0).length, 1);
    const after = open('a', { path: '/a', auth: 'none' });
    assert.equal((await send(url, 'GET', '/a', {})).status, 200);
    assert.deepEqual([before.accepted.length, after.accepted.length], [0, 1]);
  });
});
