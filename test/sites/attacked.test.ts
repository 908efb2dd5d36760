import { keyOfSite, Signing } from '../../src/sites/signing';
import { itHolds, seedsOf } from '../fixtures/histories';
import { chance } from '../fixtures/history';
import { Attacker, secret } from './attacker';
import { prefix, site } from './instance';
import type { TaskClock } from './task-clock';
import { type Keys, World } from './world';

/** Clocks that are up to an hour apart. */
function keysOf(dice: () => number): Keys {
  const offsets = Array.from({ length: 4 }, () => dice() * 3_600_000);
  const signing = (clockwork: TaskClock, clock: number, key: string) =>
    new Signing({
      prefix,
      keyOf: () => key,
      wall: () => clockwork.now + (offsets[clock] ?? 0),
      monotonic: () => clockwork.now,
    });
  const key = keyOfSite(secret, site);
  return {
    ofCentre: (clockwork) => signing(clockwork, 3, key),
    ofSite: (clockwork, instance) => signing(clockwork, instance, key),
  };
}

describe('sites with keys: random histories with an attacker against a model', () => {
  itHolds<number>({
    file: __filename,
    defaultCount: 2_000,
    // One of them takes longer than other histories.
    share: 1 / 2,
    known: [63896467, 985009613],
    draw(seed) {
      const random = chance(seed);
      return seedsOf(random, 3 + Math.floor(random() * 20));
    },
    play(seed, steps, log) {
      let dice = chance(seed);
      const now = () => dice();
      const isAttacked = dice() < 0.8;
      const world = new World(now, log, process.env.ALGO_UNSIGNED ? undefined : keysOf(dice));
      const attacker = new Attacker(now);
      for (const step of steps) {
        dice = chance(step);
        world.step();
        if (isAttacked) world.attack(attacker);
      }
      world.finish();
      return undefined;
    },
  });
});
