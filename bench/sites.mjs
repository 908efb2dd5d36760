/**
 * Many sites over a real broker: `npm run bench -- sites [rounds] [real|simulated]`. Needs Mosquitto.
 *
 * - jobs a second, and how long one takes: a centre and three sites, each a Node-RED of its own with twelve devices
 * - a lockdown for forty sites of twelve devices each, simulated in one process, until all have answered
 * - what a site's answer costs the centre, from ten sites to a thousand
 */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { findMosquitto, startMosquitto } from '../scripts/demo/mosquitto.mjs';
import { contestants } from './contestants/index.mjs';
import { start } from './processes/parent.mjs';
import { spreadOf } from './report/statistics.mjs';
import { openBench } from './rounds.mjs';
import { centreFlow, siteFlow } from './sites/flows.mjs';

const rounds = Number(process.argv[2] ?? 7);
const only = process.argv[3];
const perSite = 12;
const real = ['north', 'south', 'west'];
const sizes = [10, 100, 1_000];

const directory = await mkdtemp(path.join(os.tmpdir(), 'algo-bench-broker-'));
const broker = await startMosquitto(findMosquitto(), directory);
const bench = await openBench(false);
try {
  console.log(`load ${os.loadavg()[0].toFixed(1)} before; ${rounds} rounds; median (least to most)`);
  if (only !== 'simulated') await throughput();
  if (only !== 'real') await simulated();
} finally {
  await bench.close();
  broker.end();
  await broker.ended;
  await rm(directory, { recursive: true });
}
process.exit(0);

async function throughput() {
  const sites = await Promise.all(
    real.map((name, index) => {
      const addresses = bench.addresses.slice(index * perSite, (index + 1) * perSite);
      return bench.nodeRed(contestants.ours, siteFlow(broker.port, name, addresses));
    }),
  );
  const targets = Array.from({ length: perSite }, (_, device) =>
    real.map((site) => ({ site, device: `Device ${device}` })),
  ).flat();
  const centre = await bench.nodeRed(contestants.ours, centreFlow(broker.port, targets));
  const over = targets.length;
  const taken = { rate: [], trip: [], cpu: [] };
  await drive(centre, { count: 500, lanes: over, over });
  for (let round = 0; round < rounds; round += 1) {
    const cpuBefore = await cpuOf([centre, ...sites]);
    const { ms } = await drive(centre, { count: 2_000, lanes: 2 * over, over });
    taken.cpu.push(((await cpuOf([centre, ...sites])) - cpuBefore) / 2_000);
    taken.rate.push(2_000 / (ms / 1_000));
    const trips = [];
    for (let trip = 0; trip < 40; trip += 1) trips.push((await drive(centre, { count: 1 })).ms);
    taken.trip.push(spreadOf(trips).median);
  }
  show('jobs a second, a receipt each, 72 under way', taken.rate, 0);
  show('  processor time of all four Node-REDs for a job, µs', taken.cpu, 0);
  show('one job and its receipt, alone, ms', taken.trip, 1);
  await Promise.all([centre, ...sites].map((one) => one.stop()));
}

/** Forty sites for the lockdown, and ever more for what each costs. */
async function simulated() {
  const sites = start('sites/instances.mjs', contestants.ours.node);
  const centre = await bench.nodeRed(contestants.ours, centreFlow(broker.port, []));
  let opened = 0;
  const grow = async (count) => {
    const more = { from: opened, count: count - opened, port: broker.port, devices: perSite, answerMs: 20 };
    await sites.ask('open', more);
    opened = count;
  };
  const all = (count) => ({
    site: Array.from({ length: count }, (_, index) => `s${index}`),
    device: 'tag:all',
  });
  await grow(40);
  await drive(centre, { count: 3, message: all(40) });
  const lockdown = [];
  for (let round = 0; round < 3 * rounds; round += 1) {
    lockdown.push((await drive(centre, { count: 1, message: all(40) })).ms);
  }
  show(`a lockdown at 40 sites of ${perSite} devices, until all have answered, ms`, lockdown, 0);
  // All of them live all the time, so that only the size of the question differs.
  await grow(sizes.at(-1));
  const taken = new Map(sizes.map((size) => [size, { cpu: [], ms: [] }]));
  for (let round = -1; round < rounds; round += 1) {
    for (const size of round % 2 === 0 ? sizes : [...sizes].reverse()) {
      const count = sizes.at(-1) / size;
      const { cpu, ms } = await drive(centre, { count, message: all(size) });
      // The first one warms up.
      if (round < 0) continue;
      taken.get(size).cpu.push(cpu / count / size);
      taken.get(size).ms.push(ms / count);
    }
  }
  for (const [size, { cpu, ms }] of taken) {
    show(`${size} sites: the centre's processor time for each, µs`, cpu, 0);
    show('  until all have answered, ms', ms, 0);
  }
  await Promise.all([centre.stop(), sites.stop()]);
}

/** Fails where a job did not end well. */
async function drive(centre, order) {
  const found = await centre.ask('drive', order);
  if (found.failures > 0) throw new Error(`${found.failures} of ${order.count} jobs failed`);
  return found;
}

async function cpuOf(processes) {
  const all = await Promise.all(processes.map((one) => one.ask('cpu')));
  return all.reduce((sum, one) => sum + one, 0);
}

function show(title, values, digits) {
  const { median, least, most } = spreadOf(values);
  const [middle, low, high] = [median, least, most].map((value) => value.toFixed(digits));
  console.log(`${title}: ${middle} (${low} to ${high})`);
}
