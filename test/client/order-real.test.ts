import assert from 'node:assert/strict';
import { Bench } from '../fixtures/bench';
import { Author, chance } from '../fixtures/history';
import { Performance } from './performance';

const count = Number(process.env.ALGO_REAL_HISTORIES || 200);
const firstSeed = Number(process.env.ALGO_SEED || Date.now() % 1_000_000_000);
const atATime = 5;

describe('order at one device: random histories over real sockets', () => {
  const bench = new Bench();
  afterEach(() => bench.clear());

  it(`holds in ${count} histories from ALGO_SEED=${firstSeed} on`, async () => {
    for (let seed = firstSeed; seed < firstSeed + count; seed += atATime) {
      const seeds = Array.from(
        { length: Math.min(atATime, firstSeed + count - seed) },
        (_, index) => seed + index,
      );
      await Promise.all(seeds.map((one) => play(one)));
      await bench.clear();
    }
  });

  async function play(seed: number): Promise<void> {
    const history = new Author(chance(seed), 3_000).history();
    const performance = new Performance(history);
    const wrong = await performance.run(bench);
    const steps = history.steps.map((step) => JSON.stringify(step));
    const again = `once more: ALGO_SEED=${seed} ALGO_HISTORIES=1`;
    assert.equal(wrong, undefined, [wrong, again, ...steps, ...performance.log].join('\n'));
  }
});
