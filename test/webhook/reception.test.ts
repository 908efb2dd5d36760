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
import { Reception } from '../../src/runtime/webhook/reception';
import type { WebhookProperties } from '../../src/runtime/webhook/settings';
import { realClock } from '../../src/time/clock';
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
  let now = Date.parse('2026-11-26T12:00:00Z');
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

  const open = (id: string, properties: WebhookProperties) => {
    const kept = new Kept(id, properties, waiting.look);
    reception.open(kept);
    return kept;
  };

  /** Holds the lookup of a caller until the test ends it. */
  const heldLookup = (kept: Kept) => {
    const lookup = { isAsked: false, end: (_mayCall: boolean) => {} };
    kept.mayCall = () =>
      new Promise((resolve) => {
        Object.assign(lookup, { isAsked: true, end: resolve });
        waiting.look();
      });
    return lookup;
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

  it('closes the connection of a request whose memory newer requests need', async () => {
    const kept = open('a', { path: '/a', auth: 'none' });
    const send = (from: string) =>
      dial(`POST /a HTTP/1.1\r\nHost: x\r\nX-From: ${from}\r\nContent-Length: 100\r\n\r\nx`);
    const held = await Promise.all(Array.from({ length: 500 }, (_, n) => send(`10.0.0.${n % 10}`)));
    await waiting.until('all wait', () => reception.held === 500);
    await send('10.0.0.10');
    await waiting.until('a connection is closed', () => held.some(({ isClosed }) => isClosed));
    const closed = held.filter(({ isClosed }) => isClosed);
    assert.match(closed[0]?.answer ?? '', /^HTTP\/1\.1 429 [\s\S]*Connection: close/);
    assert.equal(closed.length, 1);
    assert.equal(reception.held, 500);
    assert.deepEqual(
      kept.refused.map(({ reason }) => reason),
      ['rate'],
    );
  });

  it('spreads bodies that are complete in one turn of the event loop over several turns', async () => {
    const kept = open('a', { path: '/a', auth: 'none' });
    let turn = 0;
    const perTurn: number[] = [];
    kept.accept = () => {
      perTurn[turn] = (perTurn[turn] ?? 0) + 1;
      waiting.look();
    };
    const count = 40;
    const length = 60 * 1024;
    const head = `POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;
    const dialled = await Promise.all(Array.from({ length: count }, () => dial(head)));
    const start = 'x'.repeat(length - 1);
    await Promise.all(dialled.map(({ socket }) => new Promise((resolve) => socket.write(start, resolve))));
    await waiting.until('all bodies are awaited', () => clock.pending === count);
    let isOver = false;
    const next = () => {
      turn += 1;
      if (!isOver) setImmediate(next);
    };
    setImmediate(next);
    // Each write reaches the other end of the connection before the next turn begins.
    for (const { socket } of dialled) socket.write('x');
    await waiting.until('all are accepted', () => perTurn.reduce((sum, one) => sum + one, 0) === count);
    isOver = true;
    // Four bodies per turn, in its poll phase and again in its check phase.
    assert.ok(Math.max(...perTurn.filter(Boolean)) <= 8, JSON.stringify(perTurn));
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

  it('asks for the address, the rate, the size and the login, in this order', async () => {
    const kept = open('a', { path: '/a' });
    const large = 'x'.repeat(64 * 1024 + 1);
    const ask = async (body = '') =>
      (await send(url, 'POST', '/a', {}, Buffer.from(body)).catch(() => {}))?.status;
    kept.mayCall = () => Promise.resolve(false);
    for (let time = 0; time < 150; time += 1) await ask(time === 149 ? large : '');
    kept.mayCall = () => Promise.resolve(true);
    for (let time = 0; time < 102; time += 1) await ask(time > 98 ? large : '');
    const reasons = kept.refused.map(({ reason }) => reason);
    const runs = reasons.filter((reason, place) => reason !== reasons[place - 1]);
    assert.deepEqual(runs, ['address', 'signature', 'size', 'rate']);
    assert.deepEqual(
      runs.map((run) => reasons.filter((reason) => reason === run).length),
      [150, 99, 1, 2],
    );
  });

  it('refuses an address with 403, also one that is found out later', async () => {
    const kept = open('a', { path: '/a', auth: 'none' });
    kept.mayCall = (address) =>
      new Promise((resolve) => setImmediate(() => resolve(address !== '127.0.0.1')));
    const { status, text } = await send(url, 'POST', '/a', {}, Buffer.from('{}'));
    assert.equal(status, 403);
    assert.doesNotMatch(text, /127/);
    assert.deepEqual(
      kept.refused.map(({ reason, address }) => [reason, address]),
      [['address', '127.0.0.1']],
    );
  });

  it('drops a request whose sender went away before its body was read, without a word', async () => {
    const kept = open('a', { path: '/a', auth: 'none' });
    const lookup = heldLookup(kept);
    const gone = await dial('POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nx');
    await waiting.until('the request came', () => seen.length === 1);
    gone.socket.resetAndDestroy();
    await waiting.until('its sender has gone', () => seen[0]?.destroyed === true);
    lookup.end(true);
    kept.mayCall = () => Promise.resolve(true);
    assert.equal((await send(url, 'GET', '/a', {})).status, 200);
    assert.equal(clock.pending, 0);
    assert.deepEqual(kept.refused, []);
  });

  it('starts the flow for a request whose sender goes away while its address is looked up', async () => {
    const kept = open('a', { path: '/a', auth: 'none' });
    const lookup = heldLookup(kept);
    const gone = await dial('POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}');
    await waiting.until('the request came', () => seen.length === 1);
    gone.socket.end();
    await waiting.until('its sender has gone', () => seen[0]?.destroyed === true);
    lookup.end(true);
    await waiting.until('it is accepted', () => kept.accepted.length === 1);
    assert.equal(kept.accepted[0]?.body.toString(), '{}');
    assert.equal(clock.pending, 0);
  });

  it('reports a complete request whose sender goes away during a deploy', async () => {
    reception.close(open('a', { path: '/a', auth: 'none' }));
    const gone = await dial('POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}');
    await waiting.until('the request waits', () => clock.pending === 1);
    gone.socket.end();
    await waiting.until('its sender has gone', () => seen[0]?.destroyed === true);
    const after = open('a', { path: '/a', auth: 'none' });
    reception.settle(() => 0);
    await waiting.until('it is reported', () => after.refused.length === 1);
    assert.equal(after.refused[0]?.reason, 'body');
    assert.deepEqual(after.accepted, []);
  });

  it('refuses a signature that was accepted before a deploy, also with a larger tolerance', async () => {
    const before = open('a', { path: '/a', tolerance: 1 });
    const ask = async (headers: Record<string, string>) => (await send(url, 'GET', '/a', headers)).status;
    const early = sign('GET', '/a', { password: 'sesame', now });
    assert.equal(await ask(early), 200);
    now += 600_000;
    assert.equal(await ask(sign('GET', '/a', { password: 'sesame', now })), 200);
    reception.close(before);
    const after = open('a', { path: '/a', tolerance: 3_600 });
    reception.settle(() => 0);
    assert.equal(await ask(early), 401);
    assert.equal(await ask(sign('GET', '/a', { password: 'sesame', now: now - 600_000 })), 200);
    assert.deepEqual(
      after.refused.map(({ reason }) => reason),
      ['replay'],
    );
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

  it('forgets a nonce after twice the tolerance', async () => {
    const kept = open('a', { path: '/a', tolerance: 10 });
    const ask = async (headers: Record<string, string>) => (await send(url, 'GET', '/a', headers)).status;
    const early = sign('GET', '/a', { password: 'sesame', now: now + 10_000 });
    assert.equal(await ask(early), 200);
    now += 20_000;
    assert.equal(await ask(early), 401);
    now += 1_000;
    assert.equal(await ask(early), 401);
    assert.deepEqual(
      kept.refused.map(({ reason }) => reason),
      ['replay', 'clock'],
    );
  });

  it('keeps a request until a deploy has started its node again', async () => {
    const before = open('a', { path: '/a', auth: 'none' });
    reception.close(before);
    const answer = send(url, 'POST', '/a', {}, Buffer.from('{"n":1}'));
    await waiting.until('the request waits', () => clock.pending === 1);
    const after = open('a', { path: '/a', auth: 'none' });
    reception.settle(() => 0);
    assert.equal((await answer).status, 200);
    assert.deepEqual(before.accepted, []);
    assert.equal(after.accepted[0]?.body.toString(), '{"n":1}');
    assert.deepEqual(passed, []);
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
    }
  });

  it('gives a request to the new node if a deploy comes while the name of the caller is looked up', async () => {
    const before = open('a', { path: '/a', auth: 'none' });
    let found: ((name: string) => void) | undefined;
    before.nameOf = () =>
      new Promise((resolve) => {
        found = resolve;
        waiting.look();
      });
    const answer = send(url, 'POST', '/a', {}, Buffer.from('{}'));
    await waiting.until('the name is looked up', () => found !== undefined);
    reception.close(before);
    const after = open('a', { path: '/a', auth: 'none' });
    reception.settle(() => 0);
    found?.('Horn');
    assert.equal((await answer).status, 200);
    assert.deepEqual([before.accepted.length, after.accepted.length], [0, 1]);
  });

  for (const [status, mayCall] of [
    [200, true],
    [403, false],
  ] as const)
    it(`lets the node of after a deploy decide who may call, if one comes during the lookup: ${status}`, async () => {
      const before = open('a', { path: '/a', auth: 'none' });
      const lookup = heldLookup(before);
      const answer = send(url, 'POST', '/a', {}, Buffer.from('{}'));
      await waiting.until('the address is looked up', () => lookup.isAsked);
      reception.close(before);
      const after = open('a', { path: '/a', auth: 'none' });
      after.mayCall = () => Promise.resolve(mayCall);
      reception.settle(() => 0);
      lookup.end(false);
      assert.equal((await answer).status, status);
      assert.deepEqual([before.refused, after.accepted.length], [[], Number(mayCall)]);
      assert.deepEqual(
        after.refused.map(({ reason }) => reason),
        mayCall ? [] : ['address'],
      );
    });

  it('tells the node of after a deploy that the body of a request did not come', async () => {
    const before = open('a', { path: '/a', auth: 'none' });
    const dialled = await dial('POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{');
    await waiting.until('the body is awaited', () => clock.pending === 1);
    reception.close(before);
    const after = open('a', { path: '/a', auth: 'none' });
    reception.settle(() => 0);
    clock.advance(10_000);
    await waiting.until('there is an answer', () => dialled.answer.includes('\r\n\r\n{'));
    assert.match(dialled.answer, /^HTTP\/1\.1 408 /);
    assert.deepEqual(
      after.refused.map(({ reason }) => reason),
      ['body'],
    );
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

  it('keeps 100 requests of an address over a deploy, and refuses more', async () => {
    const before = open('a', { path: '/a', auth: 'none' });
    reception.close(before);
    const dialled = await Promise.all(
      Array.from({ length: 103 }, (_, n) => dial(`GET /a?${n} HTTP/1.1\r\nHost: x\r\n\r\n`)),
    );
    const answered = () => dialled.filter(({ answer }) => answer.includes('\r\n\r\n{'));
    await waiting.until('three are answered', () => answered().length === 3 && clock.pending === 100);
    for (const { answer } of answered()) assert.match(answer, /^HTTP\/1\.1 429 /);
    const after = open('a', { path: '/a', auth: 'none' });
    reception.settle(() => 0);
    await waiting.until('all are answered', () => answered().length === 103);
    assert.deepEqual([before.accepted.length, after.accepted.length], [0, 100]);
    assert.deepEqual(before.refused, []);
    assert.deepEqual(
      after.refused.map(({ reason }) => reason),
      ['rate', 'rate', 'rate'],
    );
    assert.equal(clock.pending, 0);
  });

  it('keeps 100 requests of an address while a host name is looked up, and refuses more', async () => {
    const kept = open('a', { path: '/a', auth: 'none' });
    let isFound = (_may: boolean) => {};
    const found = new Promise<boolean>((resolve) => {
      isFound = resolve;
    });
    kept.mayCall = () => found;
    const dialled = await Promise.all(
      Array.from({ length: 103 }, (_, n) => dial(`GET /a?${n} HTTP/1.1\r\nHost: x\r\n\r\n`)),
    );
    const answered = () => dialled.filter(({ answer }) => answer.includes('\r\n\r\n{'));
    await waiting.until('three are answered', () => seen.length === 103 && answered().length === 3);
    for (const { answer } of answered()) assert.match(answer, /^HTTP\/1\.1 429 /);
    isFound(true);
    await waiting.until('all are answered', () => answered().length === 103);
    assert.equal(kept.accepted.length, 100);
    assert.deepEqual(
      kept.refused.map(({ reason }) => reason),
      ['rate', 'rate', 'rate'],
    );
  });

  it('gives a path to the later node if a deploy removes the first one', () => {
    const first = open('a', { path: '/a', auth: 'none' });
    const later = open('b', { path: '/a', auth: 'none' });
    assert.deepEqual([reception.holds(first), reception.holds(later)], [true, false]);
    reception.close(first);
    assert.equal(reception.holds(later), false);
    reception.settle(() => 0);
    assert.equal(reception.holds(later), true);
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

  it('leaves a request to Node-RED when a deploy has removed its node', async () => {
    const before = open('a', { path: '/a', auth: 'none' });
    reception.close(before);
    const answer = send(url, 'POST', '/a', {}, Buffer.from('{"n":1}'));
    await waiting.until('the request waits', () => clock.pending === 1);
    reception.settle(() => 0);
    assert.equal((await answer).text, 'passed');
    assert.equal((await send(url, 'GET', '/a', {})).text, 'passed');
  });

  it('gives a request to another node that a deploy creates with the same path', async () => {
    reception.close(open('a', { path: '/a', auth: 'none' }));
    const answer = send(url, 'POST', '/a', {}, Buffer.from('{"n":1}'));
    await waiting.until('the request waits', () => clock.pending === 1);
    const after = open('b', { path: '/a', auth: 'none' });
    reception.settle(() => 0);
    assert.equal((await answer).status, 200);
    assert.equal(after.accepted.length, 1);
  });

  it('leaves a request to Node-RED when the flows stay stopped', async () => {
    reception.close(open('a', { path: '/a', auth: 'none' }));
    const answer = send(url, 'GET', '/a', {});
    await waiting.until('the request waits', () => clock.pending === 1);
    clock.advance(10_000);
    assert.equal((await answer).text, 'passed');
    assert.equal(warnings.splice(0).length, 1);
  });

  it('answers or refuses each of 10,000 requests, and holds nothing afterwards', async () => {
    const unlocked = open('a', { path: '/a', auth: 'none' });
    const locked = open('b', { path: '/b' });
    const one = (n: number, more = '') =>
      `POST ${n % 3 === 0 ? '/a' : '/b'} HTTP/1.1\r\nHost: x\r\n${more}Content-Length: 4\r\n\r\n${String(n).padStart(4)}`;
    let count = 0;
    for (let round = 0; round < 10; round += 1) {
      const dialled = await Promise.all(
        Array.from({ length: 100 }, (_, part) => {
          const numbers = Array.from({ length: 10 }, (_, n) => part * 10 + n);
          return dial(numbers.map((n) => one(n, n % 10 === 9 ? 'Connection: close\r\n' : '')).join(''));
        }),
      );
      await waiting.until('all are answered', () => dialled.every(({ isClosed }) => isClosed));
      const statuses = dialled.flatMap(({ answer }) => answer.match(/HTTP\/1\.1 \d+/g) ?? []);
      assert.equal(statuses.length, 1_000);
      assert.deepEqual([...new Set(statuses)].sort(), ['HTTP/1.1 200', 'HTTP/1.1 401', 'HTTP/1.1 429']);
      count += statuses.length;
      clock.advance(1_000);
    }
    assert.equal(count, 10_000);
    assert.equal(unlocked.accepted.length + unlocked.refused.length + locked.refused.length, 10_000);
    assert.deepEqual([clock.pending, reception.held], [0, 0]);
  });
});
