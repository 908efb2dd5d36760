import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import helper from 'node-red-node-test-helper';
import {
  Cooldown,
  networkOf,
  RateLimitedWarning,
  RateLimiter,
  readBody,
  Turns,
} from '../../src/runtime/webhook/limits';
import { VirtualClock } from '../fixtures/virtual-clock';
import { Hooks, hook } from './hooks';

const open = { auth: 'none' };

/** Collects garbage, so that what is left is in use. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
const kib = 1024;

describe('webhook: bodies that are complete in one turn of the event loop', () => {
  const nextTurn = () => new Promise(setImmediate);

  it('are spread over several turns, in their order', async () => {
    const turns = new Turns();
    for (const size of [64 * kib, 0]) {
      const done: number[] = [];
      const count = size === 0 ? 24 : 3;
      const all = Array.from({ length: count }, (_, index) => turns.take(size).then(() => done.push(index)));
      const counts: number[] = [];
      while (done.length < count) {
        await nextTurn();
        counts.push(done.length);
      }
      assert.deepEqual(done, [...done.keys()]);
      assert.deepEqual(counts, size === 0 ? [8, 16, 24] : [1, 2, 3]);
      await Promise.all(all);
    }
  });

  it('are not delayed for longer than to the end of the turn', async () => {
    const turns = new Turns();
    for (let count = 0; count < 5; count += 1) {
      let isDone = false;
      void turns.take(64 * kib).then(() => {
        isDone = true;
      });
      await nextTurn();
      assert.ok(isDone);
    }
  });

  it('are done where Node-RED delivers a message before a deploy can come', async () => {
    const turns = new Turns();
    for (let count = 0; count < 5; count += 1) {
      await turns.take(0);
      // The time of the timer ends before both are looked at, and a timer runs where a deploy could.
      const order = await new Promise<string[]>((resolve) => {
        const seen: string[] = [];
        const see = (name: string) => () => {
          if (seen.push(name) === 2) resolve(seen);
        };
        setTimeout(see('a deploy'), 1);
        setImmediate(see('the message'));
        const until = performance.now() + 3;
        while (performance.now() < until);
      });
      assert.deepEqual(order, ['the message', 'a deploy']);
    }
  });
});

describe('webhook: limits', () => {
  const { now } = performance;
  /** Stops the clock that counts the requests of a second: a busy machine takes longer for them. */
  const stopTime = () => {
    const stopped = now.call(performance);
    performance.now = () => stopped;
  };
  let hooks: Hooks;
  beforeEach(async () => {
    hooks = new Hooks();
    await hooks.start([hook('bell', { ...open, path: '/bell' })]);
  });
  afterEach(async () => {
    performance.now = now;
    await hooks.stop();
  });

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
    for (const { at, ...refusal } of refusals) {
      const expected = { reason: 'size', address: '127.0.0.1', method: 'POST', path: '/bell' };
      assert.deepEqual(refusal, expected);
      assert.match(at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    }
    assert.equal(hooks.second[0]?.topic, '127.0.0.1');
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
    stopTime();
    const request = 'GET /bell HTTP/1.1\r\nHost: x\r\n';
    const ten = `${`${request}\r\n`.repeat(9)}${request}Connection: close\r\n\r\n`;
    const answers = await Promise.all(Array.from({ length: 30 }, () => hooks.raw(ten)));
    const statuses = [...answers.join('').matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    const taken = statuses.filter((status) => status === '200').length;
    const refused = statuses.filter((status) => status === '429').length;
    assert.deepEqual([taken, refused], [100, 200]);
    await hooks.calls(100);
    const refusals = hooks.second.map(({ payload: { reason } }) => reason);
    assert.deepEqual(refusals, Array(20).fill('rate'));
  });

  const warnings = () =>
    (helper.log().args.flat() as { level?: number; id?: string; msg?: string }[])
      .filter((entry) => entry?.level === 30 && entry.id === 'bell')
      .map(({ msg }) => msg);

  it('tells at most 20 refusals in 10 s, and says once that there are more', async () => {
    stopTime();
    for (let time = 0; time < 50; time += 1) {
      await hooks.send('POST', '/bell', 'x'.repeat(64 * kib + 1)).catch(() => {});
      if (time === 19) assert.deepEqual(warnings(), []);
    }
    await hooks.refusals(20);
    const line = 'more than 20 requests were refused in 10 s; the second output does not report all of them';
    assert.deepEqual(warnings(), [line]);
  });
});

describe('webhook: the count of requests', () => {
  let clock: VirtualClock;
  let limiter: RateLimiter;
  beforeEach(() => {
    clock = new VirtualClock();
    limiter = new RateLimiter(clock);
  });

  /** How many of so many requests are within the limits. */
  const count = (address: string, times = 110) =>
    Array.from({ length: times }, () => limiter.admits(address)).filter(Boolean).length;

  it('is for each address, and begins again after a second', () => {
    assert.deepEqual([count('10.0.0.1'), count('10.0.0.1'), count('10.0.0.2')], [100, 0, 100]);
    clock.advance(999);
    assert.equal(count('10.0.0.1'), 0);
    clock.advance(1);
    assert.equal(count('10.0.0.1'), 100);
  });

  it('is for each network of IPv6, and for each address that was let in', () => {
    assert.deepEqual([count('2001:db8:0:1::1', 60), count('2001:db8:0:1:ffff::2', 60)], [60, 40]);
    assert.equal(count('2001:db8:0:2::1'), 100);
    limiter.know('2001:db8:0:1::3');
    assert.deepEqual([count('2001:db8:0:1::3'), count('2001:db8:0:1::4')], [100, 0]);
  });

  it('leaves something for each address when there are many', () => {
    const addresses = Array.from({ length: 300 }, (_, n) => `10.0.${n >> 8}.${n & 255}`);
    limiter.know('10.9.9.9');
    const counts = addresses.map((address) => count(address));
    assert.deepEqual(counts, [...Array(10).fill(100), ...Array(100).fill(10), ...Array(190).fill(0)]);
    assert.equal(count('10.9.9.9'), 100);
    clock.advance(1_000);
    assert.equal(count('10.0.1.199'), 100);
  });

  it('stays small with very many addresses', () => {
    for (let n = 0; n < 20_000; n += 1) {
      limiter.admits(`10.1.${n >> 8}.${n & 255}`);
      limiter.know(`10.2.${n >> 8}.${n & 255}`);
    }
    assert.equal(limiter.size, 3_000);
    clock.advance(1_000);
    limiter.admits('10.0.0.1');
    assert.equal(limiter.size, 1_001);
  });

  it('is limited for requests that wait too', () => {
    const permits = Array.from({ length: 100 }, (_, n) => limiter.hold(`2001:db8::${n}`));
    assert.equal(limiter.hold('2001:db8::1:1'), undefined);
    assert.ok(limiter.hold('10.0.0.1'));
    permits[0]?.end();
    assert.ok(limiter.hold('2001:db8::1:1'));
    assert.equal(limiter.hold('2001:db8::1:1'), undefined);
    assert.ok(permits.every((permit) => permit?.signal.aborted === false));
  });

  it('ends the oldest of the requests that wait when there are too many', () => {
    const permits = Array.from({ length: 502 }, (_, n) => limiter.hold(`10.0.${n >> 6}.${n & 63}`));
    const ended = permits.flatMap((permit, place) => (permit?.signal.aborted ? place : []));
    assert.deepEqual(ended, [0, 1]);
    for (const permit of permits) permit?.end();
    assert.equal(limiter.size, 0);
  });

  it('ends no waiting request of a known address for one of an unknown address', () => {
    for (const address of ['10.9.0.1', '10.9.0.2', '10.9.0.3', '10.9.0.4', '10.9.0.5']) limiter.know(address);
    const first = limiter.hold('10.9.0.1');
    for (let n = 0; n < 600; n += 1) limiter.hold(`10.0.${n >> 6}.${n & 63}`);
    assert.equal(first?.signal.aborted, false);
    for (let n = 0; n < 500; n += 1) limiter.hold(`10.9.0.${(n % 5) + 1}`);
    assert.deepEqual([limiter.held, first?.signal.aborted], [500, false]);
    assert.equal(limiter.hold('10.0.0.1'), undefined);
    limiter.know('10.9.0.6');
    assert.ok(limiter.hold('10.9.0.6'));
    assert.deepEqual([limiter.held, first?.signal.aborted], [500, true]);
  });
});

describe('webhook: the cooldown', () => {
  it('ends after its time, which a repetition does not prolong', () => {
    const clock = new VirtualClock();
    const cooldown = new Cooldown(10_000, clock);
    assert.deepEqual([cooldown.admits('a'), cooldown.admits('b'), cooldown.admits('a')], [true, true, false]);
    clock.advance(9_999);
    assert.equal(cooldown.admits('a'), false);
    clock.advance(1);
    assert.deepEqual([cooldown.admits('a'), cooldown.admits('a')], [true, false]);
  });

  it('stays small, and forgets the oldest first', () => {
    const cooldown = new Cooldown(10_000, new VirtualClock());
    for (let n = 0; n < 10_001; n += 1) cooldown.admits(String(n));
    assert.deepEqual([cooldown.admits('10000'), cooldown.admits('0')], [false, true]);
  });
});

describe('webhook: the reports of refusals', () => {
  it('are 20 in 10 s, and go on afterwards', () => {
    const clock = new VirtualClock();
    const sparingly = new RateLimitedWarning(20, 10_000, clock);
    const admitted = () => Array.from({ length: 30 }, () => sparingly.admits()).filter(Boolean).length;
    assert.equal(admitted(), 20);
    clock.advance(9_999);
    assert.equal(admitted(), 0);
    clock.advance(1);
    assert.equal(admitted(), 20);
  });
});

describe('webhook: the body of a request', () => {
  const limits = { maxBytes: 10, maxMs: 10_000 };
  /** Reads the body of a request that is refused meanwhile, so that its rest is read elsewhere. */
  const start = () => {
    const request = Object.assign(new PassThrough(), { headers: {} });
    const abort = new AbortController();
    abort.signal.addEventListener('abort', () => request.resume());
    const clock = new VirtualClock();
    const body = readBody(request as unknown as IncomingMessage, { ...limits, signal: abort.signal }, clock);
    return { request, abort, clock, body };
  };

  it('is read on where another listener reads the rest of a request that was refused', async () => {
    const { request, abort, clock, body } = start();
    abort.abort();
    assert.equal(await body, 'gone');
    assert.deepEqual([request.isPaused(), clock.pending], [false, 0]);
  });

  it('is not kept in memory after a refusal', async () => {
    const { request, abort, body } = start();
    const piece = (() => {
      const bytes = Buffer.alloc(8, 'x');
      request.write(bytes);
      return new WeakRef(bytes.buffer);
    })();
    await new Promise((resolve) => setImmediate(resolve));
    abort.abort();
    assert.equal(await body, 'gone');
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    assert.equal(piece.deref(), undefined);
    assert.equal(request.destroyed, false);
  });

  it('is not read on if it is too large or too late', async () => {
    const large = start();
    large.request.write('more than ten bytes');
    assert.equal(await large.body, 'size');
    const late = start();
    late.clock.advance(10_000);
    assert.equal(await late.body, 'late');
    assert.deepEqual([large.request.isPaused(), late.request.isPaused()], [true, true]);
  });
});

describe('webhook: the network of an address', () => {
  for (const [address, network] of Object.entries({
    '10.0.0.1': '10.0.0.1',
    '::1': '0:0:0:0::',
    '2001:db8::1': '2001:db8:0:0::',
    '2001:db8:1:2:3:4:5:6': '2001:db8:1:2::',
    '2001:db8:1:2:3::': '2001:db8:1:2::',
    'fe80::1': 'fe80:0:0:0::',
  })) {
    it(`of ${address} is ${network}`, () => assert.equal(networkOf(address), network));
  }
});
