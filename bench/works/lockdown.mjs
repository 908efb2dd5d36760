/** How long the healthy ones of many devices wait for a message to all of them, when some are dead or slow. */
import { setTimeout } from 'node:timers/promises';
import { actionFlow } from '../contestants/flow.mjs';
import { tone } from '../contestants/jobs.mjs';

const healthy = 470;
/** Connections that are idle for 4 s are closed by all; an emergency comes after a quiet night. */
const idleMs = 5_000;
const faulty = { slow: 10, silent: 10, gone: 10, delayMs: 2000 };

/** Spread among the others, as they are in a building. */
function amongst(others, few) {
  const step = Math.floor(others.length / few.length);
  return others.flatMap((address, index) => {
    const next = index % step === 0 ? few[index / step] : undefined;
    return next ? [next, address] : [address];
  });
}

function lockdownWork(name, how, kindOf) {
  return {
    name,
    title: `A message to 500 devices, 20 of them dead and 10 slow, ${how}, until the 470 others have it`,
    base: 'bare',
    contestants: ['bare', 'ours'],
    rounds: { full: 5, quick: 1 },
    metrics: [
      { key: 'last', title: 'the last one has it after', unit: 'ms', compared: true },
      { key: 'all', title: 'all have ended after', unit: 'ms' },
    ],
    async start(bench, contestant) {
      const kind = kindOf(contestant);
      const others = bench.addresses.slice(0, healthy);
      // The bare node, which has no limits, is spared the dead ones.
      const { slow, silent, gone } = await bench.devices.ask('openFaulty', faulty);
      const addresses = kind.hasLimits ? amongst(others, [...slow, ...silent, ...gone]) : others;
      const chains = [{ job: tone, targets: addresses.map((_, index) => index) }];
      return bench.nodeRed(contestant, actionFlow(kind, addresses, chains));
    },
    async sample({ devices }, subject, contestant) {
      await setTimeout(idleMs);
      const { sentAt, ms } = await subject.ask('drive', { count: 1, message: kindOf(contestant).toAll });
      return { last: (await devices.ask('takeHealthy')) - sentAt, all: ms };
    },
  };
}

/** Devices of a tag are addressed in this way, and devices of a group with `maxParallel`; bare knows no other way. */
export const lockdowns = [
  lockdownWork('lockdown', '100 in parallel', ({ kind }) => kind),
  lockdownWork('lockdown-at-once', 'all in parallel', ({ kind }) => kind.atOnce ?? kind),
];
