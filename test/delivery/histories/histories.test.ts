import assert from 'node:assert/strict';
import { chance } from '../../fixtures/history';
import { Play, type Step } from './play';
import type { Wish } from './wire-model';

const count = Number(process.env.ALGO_HISTORIES || 10_000);
const firstSeed = Number(process.env.ALGO_SEED || Date.now() % 1_000_000_000);
const never = Number.POSITIVE_INFINITY;

describe('delivery: five devices, random histories against a model', () => {
  it(`holds in ${count} histories from ALGO_SEED=${firstSeed} on`, async () => {
    for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
      const { steps, bound } = historyOf(seed);
      if (!(await new Play(steps, bound).run())) continue;
      const shortest = await shrink(steps, bound);
      const log: string[] = [];
      const wrong = await new Play(shortest, bound, (line) => log.push(line)).run();
      const once = `once more: ALGO_SEED=${seed} ALGO_HISTORIES=1, bound ${bound}`;
      assert.fail([wrong, once, ...shortest.map((step) => JSON.stringify(step)), ...log].join('\n'));
    }
  });
});

function historyOf(seed: number): { steps: Step[]; bound: number } {
  const random = chance(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const oneOf = <T>(...values: T[]): T => values[below(values.length)] as T;
  let at = 0;
  const steps = Array.from({ length: 2 + below(24) }, () => {
    at += oneOf(0, 0, below(20), below(400), below(3_000));
    const wish = wishOf(oneOf);
    return {
      at,
      // Groups and lists: a message is one at each of its targets.
      devices: oneOf([0], [below(5)], [0, 1], [0, 1, 2, 3, 4]),
      wish,
      ttl: wish.kind === 'reading' ? never : oneOf(60_000, 60_000, never, 1 + below(800), 1 + below(6_000)),
      retryFor: wish.kind === 'reading' ? 0 : oneOf(0, 0, 1 + below(2_000), 10_000),
      takesMs: oneOf(1, 1 + below(60), 1 + below(500), 1 + below(3_500)),
      pauseMs: oneOf(250, 1 + below(2_000)),
      doneAt: oneOf(1, 1, 1, 2, 4, never),
    };
  });
  return { steps, bound: oneOf(1, 2, 3, 1_000) };
}

function wishOf(oneOf: <T>(...values: T[]) => T): Wish {
  const kind = oneOf('start', 'start', 'stop', 'stop', 'message', 'reading');
  if (kind === 'reading' || kind === 'message') return { kind, urgent: false };
  const subject = oneOf('door local', 'door netdc1', 'tone', 'emergency');
  return { kind, subject, urgent: kind === 'stop' || subject === 'emergency' };
}

/** The same failure with fewer messages. */
async function shrink(steps: readonly Step[], bound: number): Promise<readonly Step[]> {
  for (const index of steps.keys()) {
    const fewer = steps.filter((_step, other) => other !== index);
    if (await new Play(fewer, bound).run()) return shrink(fewer, bound);
  }
  return steps;
}
