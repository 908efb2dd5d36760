import { itHolds, seedsOf } from '../fixtures/histories';
import { chance } from '../fixtures/history';
import { RequestWorld } from './request-world';

describe('sites: what is on in the end is what was asked for', () => {
  itHolds<number>({
    file: __filename,
    defaultCount: 6_000,
    known: [967_030_602, 902_154],
    // One of them takes longer than other histories.
    share: 1 / 2,
    draw(seed) {
      const random = chance(seed);
      return seedsOf(random, 3 + Math.floor(random() * 20));
    },
    play(seed, steps, log) {
      const world = new RequestWorld(chance(seed), log);
      for (const step of steps) world.step(chance(step));
      world.finish();
      return undefined;
    },
  });
});
