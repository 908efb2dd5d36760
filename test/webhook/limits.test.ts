import assert from 'node:assert/strict';
import helper from 'node-red-node-test-helper';
import { Cooldown, PeriodCounter } from '../../src/runtime/webhook/limits';
import { VirtualClock } from '../fixtures/virtual-clock';
import { Hooks, hook } from './hooks';

const open = { auth: 'none' };

const kib = 1024;

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
    const announced = await hooks.raw(`${head}Content-Length: ${64 * kib + 1}\r\n\r\nx`);
    // The connection is closed, although the rest of the body never comes.
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

  it('takes the next request on a connection after one that was refused', async () => {
    const answer = await hooks.raw(
      `DELETE /bell HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}GET /bell HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    assert.deepEqual(answer.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 405', 'HTTP/1.1 200']);
    await hooks.calls(1);
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

describe('webhook: the counter of a limit', () => {
  it('counts for each key, and begins again after its period', () => {
    const clock = new VirtualClock();
    const counter = new PeriodCounter(10_000, clock);
    const counts = [counter.count('a'), counter.count('a'), counter.count('b'), counter.count()];
    assert.deepEqual(counts, [1, 2, 1, 1]);
    clock.advance(9_999);
    assert.equal(counter.count('a'), 3);
    clock.advance(1);
    assert.deepEqual([counter.count('a'), counter.count()], [1, 1]);
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
