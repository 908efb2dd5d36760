import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { RateLimiter } from '../../src/runtime/webhook/limits';
import { VirtualClock } from '../fixtures/virtual-clock';
import { Hooks, hook } from './hooks';

const open = { auth: 'none' };
const kib = 1024;

describe('webhook: limits', () => {
  let hooks: Hooks;
  beforeEach(async () => {
    hooks = new Hooks();
    await hooks.start([hook('bell', { ...open, path: '/bell' })]);
  });
  afterEach(() => hooks.stop());

  it('takes a body of 64 KiB', async () => {
    const body = 'x'.repeat(64 * kib);
    assert.equal((await hooks.send('POST', '/bell', body)).status, 200);
    const [call] = await hooks.calls(1);
    assert.equal(call?.payload, body);
  });

  it('refuses a larger body, announced or not', async () => {
    const head = 'POST /bell HTTP/1.1\r\nHost: x\r\n';
    const announced = await hooks.raw(`${head}Content-Length: ${64 * kib + 1}\r\nConnection: close\r\n\r\nx`);
    assert.match(announced, /^HTTP\/1\.1 413 /);
    const chunk = `${(kib).toString(16)}\r\n${'x'.repeat(kib)}\r\n`;
    const chunked = await hooks.raw(
      `${head}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunk.repeat(65)}`,
    );
    assert.match(chunked, /^HTTP\/1\.1 413 /);
    const refusals = await hooks.refusals(2);
    assert.deepEqual(
      refusals.map(({ reason, path }) => [reason, path]),
      [
        ['size', '/bell'],
        ['size', '/bell'],
      ],
    );
    assert.deepEqual(hooks.first, []);
  });

  it('does not read a body without end', async () => {
    const { port } = new URL(hooks.url);
    const socket = connect(Number(port), '127.0.0.1');
    let sent = 0;
    const pour = () => {
      while (!socket.destroyed && socket.write(Buffer.alloc(16 * kib))) sent += 16 * kib;
    };
    socket.on('error', () => {}).on('drain', pour);
    const closed = new Promise<void>((resolve) => void socket.on('close', () => resolve()));
    socket.write(`POST /bell HTTP/1.1\r\nHost: x\r\nContent-Length: ${1024 * kib * kib}\r\n\r\n`);
    pour();
    await closed;
    assert.ok(sent < 64 * kib * kib, `${sent} bytes were read`);
    const [refusal] = await hooks.refusals(1);
    assert.equal(refusal?.reason, 'size');
  });

  it('takes the next request on a connection after one that was refused', async () => {
    const answer = await hooks.raw(
      `DELETE /bell HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}GET /bell HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    assert.deepEqual(answer.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 405', 'HTTP/1.1 200']);
    await hooks.calls(1);
  });

  it('answers 100 requests a second from one address', async () => {
    // In one piece, so that even a busy machine gets them within a second, or two.
    const request = 'GET /bell HTTP/1.1\r\nHost: x\r\n';
    const answers = await hooks.raw(`${`${request}\r\n`.repeat(299)}${request}Connection: close\r\n\r\n`);
    const statuses = [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    const taken = statuses.filter((status) => status === '200').length;
    const refused = statuses.filter((status) => status === '429').length;
    assert.equal(taken + refused, 300);
    assert.ok(taken >= 100 && refused > 0, `${taken} taken, ${refused} refused`);
    await hooks.calls(taken);
    const refusals = hooks.second.map(({ payload: { reason } }) => reason);
    assert.ok(refusals.length >= 20 && refusals.every((reason) => reason === 'rate'));
  });

  it('tells at most 20 refusals in 10 s', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let time = 0; time < 50; time += 1) {
      await hooks.send('POST', '/bell', 'x'.repeat(64 * kib + 1)).catch(() => {});
    }
    agent.destroy();
    await hooks.refusals(20);
  });
});

describe('webhook: the count of requests', () => {
  it('is for each address, and begins again after a second', () => {
    const clock = new VirtualClock();
    const limiter = new RateLimiter(3, clock);
    const times = (address: string) => [1, 2, 3, 4].filter(() => limiter.admits(address)).length;
    assert.deepEqual([times('a'), times('a'), times('b')], [3, 0, 3]);
    clock.advance(999);
    assert.equal(times('a'), 0);
    clock.advance(1);
    assert.equal(times('a'), 3);
  });

  it('stays small with very many addresses', () => {
    const clock = new VirtualClock();
    const limiter = new RateLimiter(3, clock);
    for (let n = 0; n < 1_000; n += 1) assert.equal(limiter.admits(`one ${n}`), true);
    // The others share one count.
    const others = Array.from({ length: 10 }, (_, n) => limiter.admits(`other ${n}`));
    assert.equal(others.filter(Boolean).length, 3);
    clock.advance(1_000);
    assert.equal(limiter.admits('other 9'), true);
    assert.equal(limiter.admits('other 10'), true);
  });

  it('is limited for unfinished bodies too', () => {
    const limiter = new RateLimiter(2, new VirtualClock());
    const ends = [limiter.begin('a'), limiter.begin('a'), limiter.begin('b')];
    assert.equal(limiter.begin('a'), undefined);
    ends[0]?.();
    assert.notEqual(limiter.begin('a'), undefined);
    assert.equal(limiter.begin('a'), undefined);
  });
});
