import assert from 'node:assert/strict';
import { dateOf, dayAt, dayOf, partsOf, weekdayOf } from '../../src/bells/calendar';

describe('the calendar', () => {
  it('is that of the engine, for 800 years and the ends of time', () => {
    const first = Date.UTC(1600, 0, 1) / 86_400_000;
    const some = Array.from({ length: 800 * 366 }, (_, index) => first + index);
    for (const day of [...some, -719_528, 2_932_896]) {
      const date = new Date(day * 86_400_000);
      const text = date.toISOString().slice(0, 10);
      const parts = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, date: date.getUTCDate() };
      if (dateOf(day) !== text || dayOf(text) !== day) assert.equal(dateOf(day), text);
      if (weekdayOf(day) !== (date.getUTCDay() + 6) % 7) assert.fail(`the weekday of ${text}`);
      assert.deepEqual(partsOf(day), parts);
    }
  });

  it('has no days but those that there are', () => {
    for (const date of [
      '2026-02-29',
      '2100-02-29',
      '2026-04-31',
      '2026-13-01',
      '2026-00-10',
      '2026-01-00',
      '26-01-01',
    ]) {
      assert.equal(dayOf(date), undefined, date);
    }
    assert.equal(dateOf(dayAt(2026, 14, 1)), '2027-02-01');
  });
});
