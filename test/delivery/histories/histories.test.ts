import { itHolds } from '../../fixtures/histories';
import { chance } from '../../fixtures/history';
import { Play, type Step } from './play';
import type { ModelCommand } from './wire-model';

const never = Number.POSITIVE_INFINITY;
/** So many messages may wait at a device. */
const bounds = [1, 2, 3, 1_000];

describe('delivery: five devices, random histories against a model', () => {
  itHolds<Step>({
    file: __filename,
    defaultCount: 10_000,
    draw: historyOf,
    play: (seed, steps, log) => new Play(steps, bounds[seed % bounds.length] ?? 1, log).run(),
  });
});

function historyOf(seed: number): Step[] {
  const random = chance(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const oneOf = <T>(...values: T[]): T => values[below(values.length)] as T;
  let at = 0;
  return Array.from({ length: 2 + below(24) }, () => {
    at += oneOf(0, 0, below(20), below(400), below(3_000));
    const command = commandOf(oneOf);
    return {
      at,
      // Groups and lists: a message is one at each of its targets.
      devices: oneOf([0], [below(5)], [0, 1], [0, 1, 2, 3, 4]),
      command,
      ttl:
        command.kind === 'reading' ? never : oneOf(60_000, 60_000, never, 1 + below(800), 1 + below(6_000)),
      retryFor: command.kind === 'reading' ? 0 : oneOf(0, 0, 1 + below(2_000), 10_000),
      takesMs: oneOf(1, 1 + below(60), 1 + below(500), 1 + below(3_500)),
      pauseMs: oneOf(250, 1 + below(2_000)),
      doneAt: oneOf(1, 1, 1, 2, 4, never),
    };
  });
}

function commandOf(oneOf: <T>(...values: T[]) => T): ModelCommand {
  const kind = oneOf('start', 'start', 'stop', 'stop', 'message', 'reading');
  if (kind === 'reading' || kind === 'message') return { kind, urgent: false };
  const deviceOutput = oneOf('door local', 'door netdc1', 'tone', 'emergency');
  return { kind, deviceOutput, urgent: kind === 'stop' || deviceOutput === 'emergency' };
}
