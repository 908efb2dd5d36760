import { itHolds, seedsOf } from '../fixtures/histories';
import { chance } from '../fixtures/history';
import { ReportWorld } from './report-world';

describe('alerts: reports and acknowledgements in random histories against a model', () => {
  itHolds<number>({
    file: __filename,
    defaultCount: 10_000,
    draw(seed) {
      const random = chance(seed);
      return seedsOf(random, 5 + Math.floor(random() * 60));
    },
    play(seed, steps, log) {
      let dice = chance(seed);
      const world = new ReportWorld(() => dice(), log);
      for (const step of steps) {
        dice = chance(step);
        world.step();
        if (dice() < 0.1) world.compare();
      }
      world.clearAll();
      return undefined;
    },
  });
});
