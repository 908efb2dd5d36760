import assert from 'node:assert/strict';
import { chance } from '../../fixtures/history';
import { Author, type Step } from './ends-history';
import { Rehearsal } from './ends-rehearsal';

const count = Number(process.env.ALGO_HISTORIES || 10_000);
const firstSeed = Number(process.env.ALGO_SEED || Date.now() % 1_000_000_000);

describe('ends that Node-RED sends: random histories against a model', () => {
  it(`holds in ${count} histories from ALGO_SEED=${firstSeed} on`, async () => {
    for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
      const steps = new Author(chance(seed)).history(3);
      if (await failsWith(seed, steps)) assert.fail(await reportOf(seed, steps));
    }
  });
});

function failsWith(
  seed: number,
  steps: readonly Step[],
  log?: (line: string) => void,
): Promise<string | undefined> {
  return new Rehearsal(chance(seed ^ 0x55555555), log).run(steps);
}

/** The same failure with fewer steps. */
async function shrink(seed: number, steps: readonly Step[]): Promise<readonly Step[]> {
  for (const [index] of steps.entries()) {
    const fewer = steps.filter((_step, other) => other !== index);
    if (fewer.length > 0 && (await failsWith(seed, fewer))) return shrink(seed, fewer);
  }
  return steps;
}

async function reportOf(seed: number, steps: readonly Step[]): Promise<string> {
  const shortest = await shrink(seed, steps);
  const log: string[] = [];
  const wrong = await failsWith(seed, shortest, (line) => log.push(line));
  const lines = shortest.map((step) => JSON.stringify(step));
  return [wrong, `once more: ALGO_SEED=${seed} ALGO_HISTORIES=1`, ...lines, ...log].join('\n');
}
