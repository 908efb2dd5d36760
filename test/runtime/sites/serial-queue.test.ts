import assert from 'node:assert/strict';
import { SerialQueue } from '../../../src/runtime/sites/serial-queue';

describe('what is done one after the other', () => {
  it('may be any number of things at once', () => {
    let done = 0;
    const drain = new SerialQueue<number>((one) => {
      done += 1;
      if (one === 0) drain.add([1, 2]);
    });
    drain.add(new Array<number>(300_000).fill(3));
    drain.add([0]);
    assert.equal(done, 300_003);
  });
});
