import assert from 'node:assert/strict';
import { LineDriver } from './line-driver';
import { stepsOf, worldOf } from './model/author';
import { wrongIn } from './model/model';

const count = Number(process.env.ALGO_HISTORIES ?? 500);

describe('random histories of announcements at five devices', () => {
  it(`keep what is promised (${count} histories)`, () => {
    for (let seed = 1; seed <= count; seed += 1) {
      const wrong = wrongIn(new LineDriver(worldOf(seed)).play(stepsOf(seed)));
      assert.deepEqual(wrong, [], `history ${seed}`);
    }
  });
});
