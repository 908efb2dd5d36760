import assert from 'node:assert/strict';
import { keyOfSite, Signing } from '../../src/sites/signing';
import { chance } from '../fixtures/history';
import { Attacker, secret } from './attacker';
import type { Clockwork } from './clockwork';
import { prefix, site } from './instance';
import { type Keys, World } from './world';

const count = Number(process.env.ALGO_HISTORIES || 1_000);
const firstSeed = Number(process.env.ALGO_SEED || Date.now() % 1_000_000_000);

/** Clocks that are up to an hour apart. */
function keysOf(dice: () => number): Keys {
  const offsets = Array.from({ length: 4 }, () => dice() * 3_600_000);
  const signing = (clockwork: Clockwork, clock: number, key: string) =>
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
  it(`holds in ${count} histories from ALGO_SEED=${firstSeed} on`, () => {
    for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
      const dice = chance(seed);
      const isAttacked = dice() < 0.8;
      const world = new World(dice, process.env.ALGO_UNSIGNED ? undefined : keysOf(dice));
      const attacker = new Attacker(dice);
      try {
        const steps = 3 + Math.floor(dice() * 20);
        for (let step = 0; step < steps; step += 1) {
          world.step();
          if (isAttacked) world.attack(attacker);
        }
        world.finish();
      } catch (error) {
        const again = `ALGO_SEED=${seed} ALGO_HISTORIES=1`;
        assert.fail([(error as Error).stack, `once more: ${again}`, ...world.story].join('\n'));
      }
    }
  });
});
