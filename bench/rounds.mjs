/** Runs works: contestants in processes of their own, in turn, round by round. */
import { start } from './processes/parent.mjs';

/** More devices than any work has. */
const mostDevices = 1000;

/** How often a contestant is measured, where the work does not say. */
const usualRounds = { full: 9, quick: 3 };

/**
 * Starts the devices and returns what works need of the bench.
 * @param {boolean} quick
 */
export async function openBench(quick) {
  const devices = start('devices/process.mjs');
  const addresses = await devices.ask('open', mostDevices);
  return {
    devices,
    addresses,
    isWarmUp: false,
    size: (full, small) => (quick ? small : full),
    /** A Node-RED with a flow: `ask` and `stop` it, `started` is what its start took. */
    async nodeRed({ node, nodeRed, ours }, { flow, credentials, editor, httpNodeRoot }) {
      const child = start('processes/node-red.mjs', node);
      const started = await child.ask('deploy', { nodeRed, ours, flow, credentials, editor, httpNodeRoot });
      return { ...child, started };
    },
    close: () => devices.stop(),
  };
}

/**
 * Measures one work.
 * @param {Record<string, object>} contestants by name
 * @returns for each contestant and metric what each round gave
 */
export async function measure(bench, work, contestants, roundCount) {
  const names = Object.keys(contestants);
  const subjects = new Map();
  try {
    await Promise.all(
      names.map(async (name) => subjects.set(name, await work.start(bench, contestants[name]))),
    );
    const sample = (name) => work.sample(bench, subjects.get(name), contestants[name]);
    bench.isWarmUp = true;
    if (work.warmUpRound !== false) for (const name of names) await sample(name);
    bench.isWarmUp = false;
    const samples = Object.fromEntries(names.map((name) => [name, []]));
    for (let round = 0; round < roundCount; round += 1) {
      // Nobody always comes first, or always after the same one.
      const order = round % 2 === 0 ? names : [...names].reverse();
      for (const name of order) samples[name].push(await sample(name));
    }
    return Object.fromEntries(names.map((name) => [name, byMetric(work, samples[name])]));
  } finally {
    await Promise.all([...subjects.values()].map((subject) => subject.stop()));
  }
}

function byMetric({ metrics }, samples) {
  const values = (key) => samples.map((sample) => Number(sample[key].toPrecision(4)));
  return Object.fromEntries(metrics.map(({ key }) => [key, values(key)]));
}

/** How many rounds a work has in a run. */
export function roundsOf({ rounds = usualRounds }, { quick, rounds: asked }) {
  const own = quick ? rounds.quick : rounds.full;
  return own === 0 ? 0 : (asked ?? own);
}
