import assert from 'node:assert/strict';
import { backoffMs } from '../../../src/kernel/time/backoff';

describe('the backoff', () => {
  it('doubles the pause after each failure, up to its maximum', () => {
    const limits = { firstMs: 250, maxMs: 2_000 };
    const pauses = [0, 1, 2, 3, 4, 1_000_000].map((failures) => backoffMs(failures, limits));
    assert.deepEqual(pauses, [250, 500, 1_000, 2_000, 2_000, 2_000]);
  });
});
