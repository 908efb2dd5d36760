import assert from 'node:assert/strict';
import { chance } from '../fixtures/history';
import { World } from './world';

const count = Number(process.env.ALGO_HISTORIES || 3_000);
const firstSeed = Number(process.env.ALGO_SEED || Date.now() % 1_000_000_000);

describe('sites: random histories against a model', () => {
  it(`holds in ${count} histories from ALGO_SEED=${firstSeed} on`, () => {
    for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
      const dice = chance(seed);
      const world = new World(dice);
      try {
        const steps = 3 + Math.floor(dice() * 20);
        for (let step = 0; step < steps; step += 1) world.step();
        world.finish();
      } catch (error) {
        const again = `ALGO_SEED=${seed} ALGO_HISTORIES=1`;
        assert.fail([(error as Error).stack, `once more: ${again}`, ...world.story].join('\n'));
      }
    }
  });
});
