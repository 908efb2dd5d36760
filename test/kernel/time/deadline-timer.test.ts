import assert from 'node:assert/strict';
import { DeadlineTimer } from '../../../src/kernel/time/deadline-timer';

/** A timer at 1,000.5 ms, and the delays that it asks of its clock. */
function timerWith(onReached = () => {}): { timer: DeadlineTimer; delays: number[]; fire: () => void } {
  const delays: number[] = [];
  let task = () => {};
  const after = (ms: number, next: () => void) => {
    delays.push(ms);
    task = next;
    return () => {};
  };
  const timer = new DeadlineTimer(onReached, { monotonic: () => 1_000.5, after });
  return { timer, delays, fire: () => task() };
}

describe('the deadline timer', () => {
  for (const [when, moment] of [
    ['has passed since it was worked out', 1_000.4],
    ['is minus infinity', Number.NEGATIVE_INFINITY],
  ] as const) {
    it(`does not wait for a moment that ${when}`, () => {
      const { timer, delays } = timerWith();
      timer.set(moment);
      assert.deepEqual(delays, [0]);
    });
  }

  it('never fires for an infinite moment, nor for none', () => {
    const { timer, delays } = timerWith();
    timer.set(Number.POSITIVE_INFINITY);
    timer.set(Number.NaN);
    assert.deepEqual(delays, []);
  });

  it('fires at the earliest moment, and can be set again from its callback', () => {
    const { timer, delays, fire } = timerWith(() => timer.set(1_200.5));
    timer.set(1_100.5);
    timer.set(1_300.5);
    timer.set(1_050.5);
    fire();
    assert.deepEqual(delays, [100, 50, 200]);
  });
});
