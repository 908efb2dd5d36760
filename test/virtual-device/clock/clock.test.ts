import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { SystemClock } from '../../../src/virtual-device/clock/clock';
import { ManualClock } from '../manual-clock';

describe('clocks', () => {
  it('run what is due, in order, each at its own time', () => {
    const clock = new ManualClock(1000);
    const seen: [string, number][] = [];
    clock.setTimeout(() => seen.push(['late', clock.now()]), 20);
    clock.setTimeout(() => {
      seen.push(['early', clock.now()]);
      clock.setTimeout(() => seen.push(['next', clock.now()]), 5);
    }, 10);
    const never = clock.setTimeout(() => seen.push(['never', clock.now()]), 1);
    never.cancel();
    clock.advance(20);
    assert.deepEqual(seen, [
      ['early', 1010],
      ['next', 1015],
      ['late', 1020],
    ]);
    assert.equal(clock.pending, 0);
  });

  it('wait also for what is further away than a timer of Node reaches', () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const farAway = 2 ** 31 + 1000;
      let hasFired = false;
      const clock = new SystemClock();
      clock.setTimeout(() => {
        hasFired = true;
      }, farAway);
      mock.timers.tick(2 ** 31 - 1);
      mock.timers.tick(1000);
      assert.equal(hasFired, false);
      mock.timers.tick(1);
      assert.equal(hasFired, true);
      const cancelled = clock.setTimeout(() => assert.fail(), farAway);
      mock.timers.tick(2 ** 31 - 1);
      cancelled.cancel();
      mock.timers.tick(2000);
    } finally {
      mock.timers.reset();
    }
  });
});
