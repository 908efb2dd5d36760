import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { backgroundClock, realClock, roundUpToGrid } from '../../../src/kernel/time/clock';

describe('the clocks', () => {
  for (const [name, clock] of [
    ['real', realClock],
    ['background', backgroundClock],
  ] as const)
    it(`wait longer than a timer of Node can: ${name}`, () => {
      mock.timers.enable({ apis: ['setTimeout'] });
      try {
        const farMs = 2 ** 32 + 1_000;
        let fired = 0;
        clock.after(farMs, () => {
          fired += 1;
        });
        const cancels = [clock.after(farMs, () => assert.fail()), clock.after(5, () => assert.fail())];
        const never = clock.after(Number.POSITIVE_INFINITY, () => assert.fail());
        cancels[1]?.();
        for (let count = 0; count < 2; count += 1) mock.timers.tick(2 ** 31 - 1);
        cancels[0]?.();
        mock.timers.tick(1_001);
        assert.equal(fired, 0);
        mock.timers.tick(1);
        assert.equal(fired, 1);
        never();
      } finally {
        mock.timers.reset();
      }
    });
});

describe('the timing of readings', () => {
  const cases: readonly [what: string, ms: number, now: number, wait: number][] = [
    ['waits for the beat after', 1000, 20, 1030],
    ['waits for the same beat from elsewhere', 1000, 41, 1009],
    ['is on the beat already', 1000, 50, 1000],
    ['has half a beat to the next', 200, 1025, 225],
    ['is due sooner than a beat', 49, 1020, 49],
    ['is due at once', 0, 1020, 0],
  ];
  for (const [what, ms, now, wait] of cases) {
    it(`${what}: ${ms} ms from ${now}`, () => {
      assert.equal(roundUpToGrid(ms, now), wait);
    });
  }

  it('never waits less than asked, nor a beat more', () => {
    for (let ms = 0; ms < 500; ms += 7) {
      for (let now = 0.3; now < 100; now += 1.9) {
        const wait = roundUpToGrid(ms, now);
        assert.ok(wait >= ms && wait < ms + 50, `${ms} from ${now}: ${wait}`);
      }
    }
  });
});
