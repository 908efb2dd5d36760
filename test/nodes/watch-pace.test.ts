import assert from 'node:assert/strict';
import { stopFlow } from '../fixtures/flow';
import { Day } from '../runtime/watch/day';
import { startWatchFlow } from './watch-flow';

describe('the pace of a watching node', () => {
  let day: Day;

  beforeEach(async () => {
    day = await Day.begin({});
  });

  afterEach(async () => {
    await stopFlow();
    await day.end();
  });

  const relay = { id: 'relay', type: 'algo-relay-input', device: 'hall', interval: 10, initial: true };

  /** The seconds between two readings, each length once, in this part of the day. */
  function gapsBetween(from: number, to: number): number[] {
    const readings = day.readings.filter((second) => second >= from && second <= to);
    assert.ok(readings.length > 2, `${readings.length} readings from ${from} s to ${to} s`);
    return [...new Set(readings.slice(1).map((second, index) => second - (readings[index] ?? 0)))];
  }

  it('is a quarter of the interval after a change and four times as long in the end, where it adapts', async () => {
    const { changes } = await startWatchFlow([{ ...relay, adaptive: true }]);
    await day.until('00:40');
    assert.equal((await changes.next()).initial, true);
    assert.deepEqual(gapsBetween(4, 100), [2.5]);
    assert.deepEqual(gapsBetween(120, 1000), [10]);
    assert.deepEqual(gapsBetween(1020, 2400), [40]);
    day.virtual.setInput('relay', 'active');
    await day.until('01:00');
    assert.equal((await changes.next()).payload.state, 'active');
    assert.deepEqual(gapsBetween(2440, 2500), [2.5]);
    assert.deepEqual(gapsBetween(2560, 3400), [10]);
  });

  it('is the interval, whatever changes, where it does not adapt', async () => {
    const { changes } = await startWatchFlow([relay]);
    await day.until('00:10');
    day.virtual.setInput('relay', 'active');
    await day.until('00:30');
    assert.equal((await changes.next()).initial, true);
    assert.equal((await changes.next()).payload.state, 'active');
    assert.deepEqual(gapsBetween(4, 1800), [10]);
  });
});
