import assert from 'node:assert/strict';
import { Throttle } from '../../../src/kernel/time/throttle';

describe('what is done seldom', () => {
  it('is done at once, and once more for all that came meanwhile', () => {
    const seen: string[] = [];
    const timers = new Set<() => void>();
    let [now, state] = [0, 'first'];
    const clock = {
      monotonic: () => now,
      after: (ms: number, ring: () => void) => {
        assert.equal(ms, 150);
        timers.add(ring);
        return () => void timers.delete(ring);
      },
    };
    const seldom = new Throttle(() => seen.push(state), 250, clock);
    seldom.soon();
    now = 100;
    for (let index = 0; index < 1_000; index += 1) {
      state = `state ${index}`;
      seldom.soon();
    }
    assert.deepEqual([seen, timers.size], [['first'], 1]);
    now = 250;
    for (const ring of timers) ring();
    assert.deepEqual(seen, ['first', 'state 999']);
    timers.clear();
    now = 350;
    seldom.soon();
    seldom.clear();
    assert.equal(timers.size, 0);
    now = 500;
    seldom.soon();
    assert.equal(seen.length, 3);
  });
});
