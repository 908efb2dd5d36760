import { itHolds } from '../../fixtures/histories';
import { chance } from '../../fixtures/history';
import { Author, type Step } from './ends-history';
import { EndsPlayer } from './ends-player';

describe('ends that Node-RED sends: random histories against a model', () => {
  itHolds<Step>({
    file: __filename,
    defaultCount: 10_000,
    draw: (seed) => new Author(chance(seed)).history(3),
    play: (seed, steps, log) => new EndsPlayer(chance(seed ^ 0x55555555), log).run(steps),
  });
});
