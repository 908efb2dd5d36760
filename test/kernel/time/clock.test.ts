import assert from 'node:assert/strict';
import { roundUpToGrid } from '../../../src/kernel/time/clock';

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

  it('never waits longer than a timer of Node can', () => {
    assert.equal(roundUpToGrid(2 ** 31 - 1, 20), 2 ** 31 - 1);
  });

  it('never waits less than asked, nor a beat more', () => {
    for (let ms = 0; ms < 500; ms += 7) {
      for (let now = 0.3; now < 100; now += 1.9) {
        const wait = roundUpToGrid(ms, now);
        assert.ok(wait >= ms && wait < ms + 50, `${ms} from ${now}: ${wait}`);
      }
    }
  });
});
