import assert from 'node:assert/strict';
import { Driver } from './driver';
import { stepsOf, worldOf } from './model/author';
import { wrongIn } from './model/model';

const count = Number(process.env.ALGO_HISTORIES ?? 500);
const first = Number(process.env.ALGO_SEED ?? 1);

describe('random histories of announcements at five devices', () => {
  const play = async (seed: number) => {
    const driver = new Driver(worldOf(seed));
    const wrong = wrongIn(await driver.play(stepsOf(seed)));
    assert.deepEqual([...driver.faults, ...wrong], [], `history ${seed}`);
  };

  it(`keep what is promised (${count} histories)`, async () => {
    for (let seed = first; seed < first + count; seed += 1) await play(seed);
  });

  it('keep what is promised where an alert takes the screen while an earlier text cannot be removed', () =>
    play(77_000_259));
});
