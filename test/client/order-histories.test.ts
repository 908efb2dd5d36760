import assert from 'node:assert/strict';
import { Author, chance, type History, mostNames, shrink } from '../fixtures/history';
import { Rehearsal } from './rehearsal';

const count = Number(process.env.ALGO_HISTORIES || 10_000);
const firstSeed = Number(process.env.ALGO_SEED || Date.now() % 1_000_000_000);

describe('order at one device: random histories against a model', () => {
  for (const names of [1, mostNames]) {
    it(`holds in ${count / 2} histories of ${names} names from ALGO_SEED=${firstSeed} on`, async () => {
      for (let seed = firstSeed; seed < firstSeed + count / 2; seed += 1) {
        const history = new Author(chance(seed), undefined, names).history();
        if (await failsWith(history)) assert.fail(await reportOf(seed, history));
      }
    });
  }
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
  const closings = `closeAt: ${JSON.stringify([...(shortest.closeAt ?? [])])}`;
  return [wrong, `once more: ${again}`, ...steps, closings, ...log].join('\n');
}
