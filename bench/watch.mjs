/**
 * Measures what it costs to watch many devices: our nodes, bare undici, and the nodes that come with Node-RED.
 * `node bench/watch.mjs [--devices 1000] [--settle 25] [--seconds 30] [--interval 1] [--only ours,undici,stock]`
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chooseRuntime } from '../scripts/node-runtime.mjs';
import { ours, stock } from './flows.mjs';

const require = createRequire(import.meta.url);
const { node, nodeRed } = chooseRuntime();
const { values } = parseArgs({
  options: {
    devices: { type: 'string', default: '1000' },
    settle: { type: 'string', default: '25' },
    seconds: { type: 'string', default: '30' },
    interval: { type: 'string', default: '1' },
    only: { type: 'string', default: 'undici,ours,stock' },
  },
});
const count = Number(values.devices);
const interval = Number(values.interval);
const seconds = Number(values.seconds);
const processes = 2;

function start(file, ...args) {
  const place = fileURLToPath(new URL(file, import.meta.url));
  return fork(place, args.map(String), {
    execPath: node,
    execArgv: ['--expose-gc'],
    serialization: 'advanced',
  });
}

/** The next message of a process that has a certain property. */
function told(child, property) {
  return new Promise((resolve) => {
    const listener = (message) => {
      if (!(property in message)) return;
      child.removeListener('message', listener);
      resolve(message[property]);
    };
    child.on('message', listener);
  });
}

function ask(child, question, property = question) {
  const answer = told(child, property);
  child.send({ ask: question });
  return answer;
}

async function stop(child) {
  const gone = once(child, 'exit');
  child.kill();
  await gone;
}

/** Virtual devices in processes of their own, with the edges that they made. */
async function startDevices() {
  const children = Array.from({ length: processes }, () =>
    start('devices.mjs', count / processes, 5000 * interval),
  );
  const edges = new Map();
  for (const child of children) {
    child.setMaxListeners(50);
    child.on('message', ({ edge, state, at }) => edge && edges.set(edge, { state, at }));
  }
  const addresses = (await Promise.all(children.map((child) => told(child, 'addresses')))).flat();
  const answered = async () =>
    (await Promise.all(children.map((child) => ask(child, 'answered')))).reduce((sum, one) => sum + one, 0);
  return { children, addresses, edges, answered };
}

function percentile(sorted, part) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}

/** Milliseconds from each edge to the message about it. */
async function latencies(subject, devices) {
  for (const child of devices.children) child.send({ ask: 'edges' });
  await ask(subject, 'edges');
  const found = [];
  const until = Date.now() + seconds * 1000;
  while (Date.now() < until) {
    await sleep(250);
    for (const { address, state, at } of await ask(subject, 'edges')) {
      const edge = devices.edges.get(address);
      if (edge?.state === state) found.push(at - edge.at);
    }
  }
  return found.sort((a, b) => a - b);
}

/** Starts a process, lets it settle, and measures it. */
async function measure(file, message, args = []) {
  const devices = await startDevices();
  const subject = start(file, ...args);
  subject.setMaxListeners(50);
  await told(subject, 'ready');
  const started = file === 'node-red.mjs' ? told(subject, 'started') : undefined;
  subject.send(message(devices.addresses));
  await started;
  // Connections are opened and the code is compiled meanwhile: a watch runs for months.
  await sleep(Number(values.settle) * 1000);
  const [before, answeredBefore] = [await ask(subject, 'cpu'), await devices.answered()];
  const from = performance.now();
  const found = await latencies(subject, devices);
  const [after, answeredAfter] = [await ask(subject, 'cpu'), await devices.answered()];
  const elapsed = (performance.now() - from) / 1000;
  const memory = await ask(subject, 'memory');
  await stop(subject);
  await Promise.all(devices.children.map(stop));
  const readings = answeredAfter - answeredBefore;
  const cpu = after.user + after.system - before.user - before.system;
  return {
    perSecond: readings / elapsed,
    cpuPercent: cpu / elapsed / 10_000,
    cpuPerReading: readings > 0 ? cpu / readings : 0,
    memory,
    edges: found.length,
    p50: percentile(found, 0.5),
    p99: percentile(found, 0.99),
  };
}

const red = [require.resolve(nodeRed)];
const subjects = {
  undici: [
    () => measure('undici.mjs', () => ({ addresses: [], intervalMs: interval * 1000 })),
    () => measure('undici.mjs', (addresses) => ({ addresses, intervalMs: interval * 1000 })),
  ],
  ours: [
    () => measure('node-red.mjs', (addresses) => ours(addresses, interval, true), red),
    () => measure('node-red.mjs', (addresses) => ours(addresses, interval), red),
  ],
  stock: [
    () => measure('node-red.mjs', (addresses) => stock(addresses, interval, true), red),
    () => measure('node-red.mjs', (addresses) => stock(addresses, interval), red),
  ],
};

console.log(`${count} devices, a status and a relay reading each every ${interval} s, ${seconds} s measured`);
for (const name of values.only.split(',')) {
  const [idle, busy] = subjects[name];
  const rest = await idle();
  const result = await busy();
  const kB = (part) => ((result.memory[part] - rest.memory[part]) / count / 1000).toFixed(1);
  console.log(
    [
      name.padEnd(7),
      `${result.perSecond.toFixed(0)} readings/s`,
      `${result.cpuPercent.toFixed(1)} % of a core`,
      `${result.cpuPerReading.toFixed(0)} µs CPU/reading`,
      `${kB('heap')} kB heap, ${kB('rss')} kB RSS per device`,
      `edge to message p50 ${result.p50} ms, p99 ${result.p99} ms (${result.edges} edges)`,
    ].join(' | '),
  );
}
