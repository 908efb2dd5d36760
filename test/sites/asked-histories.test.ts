import assert from 'node:assert/strict';
import { chance } from '../fixtures/history';
import { AskedWorld } from './asked-world';

/** One of them takes longer than other histories: half as many. */
const count = Math.ceil(Number(process.env.ALGO_HISTORIES || 6_000) / 2);
const firstSeed = Number(process.env.ALGO_SEED || Date.now() % 1_000_000_000);

/** Each step has a seed of its own, so that others can be left out. */
function stepsOf(seed: number): number[] {
  const dice = chance(seed);
  return Array.from({ length: 3 + Math.floor(dice() * 20) }, () => Math.floor(dice() * 2 ** 32));
}

/** What is wrong, and what happened. */
function failure(seed: number, steps: readonly number[]): string | undefined {
  const world = new AskedWorld(chance(seed));
  try {
    for (const step of steps) world.step(chance(step));
    world.finish();
    return undefined;
  } catch (error) {
    return [(error as Error).stack, ...world.story].join('\n');
  }
}

/** The same failure with fewer steps. */
function shrink(seed: number, steps: readonly number[]): readonly number[] {
  for (const index of steps.keys()) {
    const fewer = steps.filter((_step, other) => other !== index);
    if (failure(seed, fewer)) return shrink(seed, fewer);
  }
  return steps;
}

describe('sites: what is on in the end is what was asked for', () => {
  it(`holds in ${count} histories from ALGO_SEED=${firstSeed} on`, () => {
    for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
      const steps = stepsOf(seed);
      if (!failure(seed, steps)) continue;
      const again = `once more: ALGO_SEED=${seed} ALGO_HISTORIES=1 npm test -- --built sites/asked-histories`;
      const shortest = shrink(seed, steps);
      assert.fail(
        `${again}\nof its ${steps.length} steps ${shortest.length} are enough:\n${failure(seed, shortest)}`,
      );
    }
  });
});
