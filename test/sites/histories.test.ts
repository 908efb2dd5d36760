import { itHolds, seedsOf } from '../fixtures/histories';
import { chance } from '../fixtures/history';
import { World } from './world';

describe('sites: random histories against a model', () => {
  itHolds<number>({
    file: __filename,
    defaultCount: 3_000,
    known: [701_969_089],
    draw(seed) {
      const random = chance(seed);
      return seedsOf(random, 3 + Math.floor(random() * 20));
    },
    play(seed, steps, log) {
      let dice = chance(seed);
      const world = new World(() => dice(), log);
      for (const step of steps) {
        dice = chance(step);
        world.step();
      }
      world.finish();
      return undefined;
    },
  });
});
