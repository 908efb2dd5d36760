import { itHolds, seedsOf } from '../fixtures/histories';
import { chance } from '../fixtures/history';
import { World } from './world';

describe('alerts: random histories against a model', () => {
  itHolds<number>({
    file: __filename,
    defaultCount: 10_000,
    // A start that is sent again is no return, where what is on at the place is another alert's.
    known: [2_592],
    draw(seed) {
      const random = chance(seed);
      return seedsOf(random, 5 + Math.floor(random() * 40));
    },
    play(seed, steps, log) {
      let dice = chance(seed);
      const world = new World(() => dice(), log);
      for (const step of steps) {
        dice = chance(step);
        world.step();
        if (dice() < 0.05) world.calm();
      }
      world.clearAll();
      return undefined;
    },
  });
});
