import assert from 'node:assert/strict';
import { Author, chance, type History, shrink } from './history';
import { Rehearsal } from './rehearsal';

const count = Number(process.env.ALGO_HISTORIES || 10_000);
const firstSeed = Number(process.env.ALGO_SEED || Date.now() % 1_000_000_000);

describe('order at one device: random histories against a model', () => {
  it(`holds in ${count} histories from ALGO_SEED=${firstSeed} on`, async () => {
    for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
      const history = new Author(chance(seed)).history();
      if (await failsWith(history)) assert.fail(await reportOf(seed, history));
    }
  });
});

function failsWith(history: History): Promise<string | undefined> {
  return new Rehearsal(history).run();
}

async function reportOf(seed: number, history: History): Promise<string> {
  const shortest = await shrink(history, failsWith);
  const log: string[] = [];
  const wrong = await new Rehearsal(shortest, (line) => log.push(line)).run();
  const steps = shortest.steps.map((step) => JSON.stringify(step));
  const again = `ALGO_SEED=${seed} ALGO_HISTORIES=1`;
  return [wrong, `once more: ${again}`, ...steps, `closeAt: ${shortest.closeAt}`, ...log].join('\n');
}
