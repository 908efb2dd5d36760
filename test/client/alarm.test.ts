import assert from 'node:assert/strict';
import { Alarm } from '../../src/client/alarm';

describe('client: the alarm of a queue', () => {
  it('asks for no time before now, when a moment has passed since it was worked out', () => {
    const asked: number[] = [];
    const after = (ms: number) => {
      asked.push(ms);
      return () => {};
    };
    const alarm = new Alarm({ monotonic: () => 1_000.5, after }, () => {});
    alarm.set(1_000.4);
    assert.deepEqual(asked, [0]);
  });
});
