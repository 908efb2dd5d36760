import assert from 'node:assert/strict';
import { Retries } from '../../../src/kernel/time/retries';

describe('failed attempts in a row', () => {
  const at = (ms: number, chance = 0) => ({ monotonic: () => ms, random: () => chance });

  it('have pauses that double up to 30 s, each at random up to half as long', () => {
    const retries = new Retries();
    const pauses = [0, 0, 0, 0, 0, 1, 0].map((chance) => retries.fail(at(5, chance)) - 5);
    assert.deepEqual(pauses, [1_000, 2_000, 4_000, 8_000, 16_000, 15_000, 30_000]);
    assert.equal(retries.failures, 7);
  });

  it('are hopeless a day after the first', () => {
    const retries = new Retries();
    assert.ok(!retries.isHopeless(at(100_000_000)));
    retries.fail(at(1_000));
    retries.fail(at(50_000_000));
    assert.ok(!retries.isHopeless(at(86_400_999)));
    assert.ok(retries.isHopeless(at(86_401_000)));
  });
});
