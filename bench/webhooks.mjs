/**
 * How a webhook stands a flood: `npm run bench -- webhooks [requests] [seconds]`. So many requests (10,000) in so many
 * seconds (10), at an even pace, over sockets that are kept. Twenty emergencies a second go to a device meanwhile, from
 * the process of the bench to Node-RED and on to the wire, as many as without a flood. The longest turn of Node-RED's
 * event loop is in processor time, which other work on the machine does not prolong.
 */
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { actionFlow } from './contestants/flow.mjs';
import { contestants } from './contestants/index.mjs';
import { emergency } from './contestants/jobs.mjs';
import { ours } from './contestants/ours.mjs';
import { start } from './processes/parent.mjs';
import { percentile } from './report/statistics.mjs';
import { openBench } from './rounds.mjs';

const [count = 10_000, seconds = 10] = process.argv.slice(2).map(Number);
const emergencyEveryMs = 50;
const password = 'algo';

const hook = (id, more) => ({ id, type: 'algo-webhook', path: `/${id}`, wires: [[], []], ...more });
const hooks = [hook('signed'), hook('open', { auth: 'none' })];

/** The floods: from how many addresses, and to which webhooks. */
const floods = [
  { title: 'signed, from 20 addresses', addresses: 20, paths: ['/signed'], password },
  { title: 'signed, from one address', addresses: 1, paths: ['/signed'], password },
  { title: 'a wrong password, from 200 addresses', addresses: 200, paths: ['/signed'], password: 'wrong' },
  { title: 'without a login, from 20 addresses', addresses: 20, paths: ['/open', '/open/a'] },
];

const now = () => performance.timeOrigin + performance.now();

/** Milliseconds from an emergency's message to the wire, for each of those that are sent until something is over. */
async function emergenciesUntil(bench, nodeRed, over) {
  const taken = [];
  let isOver = false;
  const ended = over.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const sentAt = now();
    await nodeRed.ask('send', { source: 0 });
    let arrivedAt;
    while (arrivedAt === undefined) {
      arrivedAt = await bench.devices.ask('takeEmergency');
      if (arrivedAt === undefined) await sleep(2);
    }
    taken.push(arrivedAt - sentAt);
    await sleep(Math.max(1, emergencyEveryMs - (now() - sentAt)));
  }
  return { taken, result: await ended };
}

function shown(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const [median, most] = [percentile(sorted, 0.5), sorted.at(-1)];
  const [many, nearlyAll] = [0.99, 0.999].map((share) => percentile(sorted, share).toFixed(1));
  return `${median.toFixed(1)} ms in the middle, 99 % within ${many} ms, 99.9 % within ${nearlyAll} ms, ${most.toFixed(1)} ms at most (${sorted.length})`;
}

const bench = await openBench(false);
const flooder = start('processes/flood.mjs');
const { flow, credentials } = actionFlow(
  ours,
  bench.addresses.slice(0, 1),
  [{ job: emergency, targets: [0] }],
  hooks,
);
const nodeRed = await bench.nodeRed(contestants.ours, {
  flow,
  credentials: { ...credentials, signed: { password } },
  editor: true,
  httpNodeRoot: '/',
});
try {
  const { port } = nodeRed.started;
  const few = { port, count: 200, seconds: 2, ...floods[0] };
  await emergenciesUntil(bench, nodeRed, flooder.ask('flood', few));
  console.log(`${count} requests in ${seconds} s; load ${os.loadavg()[0].toFixed(1)}`);
  const { taken: quiet } = await emergenciesUntil(bench, nodeRed, sleep(seconds * 1_000));
  console.log(`an emergency without a flood: ${shown(quiet)}`);
  const middle = (values) =>
    percentile(
      [...values].sort((a, b) => a - b),
      0.5,
    );
  for (const { title, ...flood } of floods) {
    const before = await nodeRed.ask('memory');
    const cpuBefore = await nodeRed.ask('cpu');
    await nodeRed.ask('watch');
    const { taken, result } = await emergenciesUntil(
      bench,
      nodeRed,
      flooder.ask('flood', { port, count, seconds, ...flood }),
    );
    const cpu = (await nodeRed.ask('cpu')) - cpuBefore;
    const longest = await nodeRed.ask('watched');
    const after = await nodeRed.ask('memory');
    const statuses = Object.entries(result.statuses).map(([status, times]) => `${times} times ${status}`);
    console.log(`\n${title}: ${statuses.join(', ')}, ${result.failures} without an answer`);
    console.log(`  an answer: ${shown(result.latencies)}`);
    console.log(
      `  an emergency: ${shown(taken)}; ${(middle(taken) / middle(quiet)).toFixed(2)} times as without a flood`,
    );
    console.log(`  the longest turn of the event loop: ${longest.toFixed(1)} ms of processor time`);
    console.log(`  processor time for a request, all in all: ${(cpu / count).toFixed(0)} µs`);
    console.log(`  memory in use: ${((after.used - before.used) / 1024).toFixed(0)} KiB more than before`);
  }
} finally {
  await Promise.all([nodeRed.stop(), flooder.stop()]);
  await bench.close();
}
process.exit(0);
