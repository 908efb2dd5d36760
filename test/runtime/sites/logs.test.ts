import assert from 'node:assert/strict';
import { RateLimitedLog } from '../../../src/runtime/sites/logs';

describe('a log that is sparing', () => {
  const lines: string[] = [];
  const timers = new Set<() => void>();
  let now = 0;
  const clock = {
    monotonic: () => now,
    after: (_ms: number, ring: () => void) => {
      timers.add(ring);
      return () => void timers.delete(ring);
    },
  };
  const pass = () => {
    now += 10_000;
    const rings = [...timers];
    timers.clear();
    for (const ring of rings) ring();
  };
  beforeEach(() => {
    lines.length = 0;
    timers.clear();
    now = 0;
  });

  it('says few lines as they come, and counts the rest of a flood', () => {
    const log = new RateLimitedLog((line) => lines.push(line), 20, 10_000, clock);
    for (let number = 0; number < 20_000; number += 1) log.log(`line ${number}`);
    assert.equal(lines.length, 20);
    assert.ok(timers.size <= 1);
    pass();
    assert.equal(lines.length, 21);
    assert.equal(lines[20], 'line 19999; 19979 more lines of this kind before it were left out');
    log.log('later');
    assert.equal(lines.at(-1), 'later');
    pass();
    pass();
    assert.equal(lines.length, 22);
  });

  it('says one line in each period where it may say one', () => {
    const log = new RateLimitedLog((line) => lines.push(line), 1, 10_000, clock);
    for (let number = 0; number < 3; number += 1) log.log(`line ${number}`);
    pass();
    log.log('line 3');
    assert.deepEqual(lines, ['line 0', 'line 2; 1 more lines of this kind before it were left out']);
    pass();
    assert.equal(lines.at(-1), 'line 3');
  });

  it('says at its end what it has left out, and keeps no timer', () => {
    const log = new RateLimitedLog((line) => lines.push(line), 20, 10_000, clock);
    for (let number = 0; number < 30; number += 1) log.log(`line ${number}`);
    log.close();
    assert.match(String(lines.at(-1)), /^line 29; 9 more lines/);
    assert.equal(timers.size, 0);
  });
});
