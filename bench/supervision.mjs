/**
 * The processor time of a supervision of many devices: `npm run bench -- supervision [devices] [seconds]`. Each device
 * is checked every ten seconds, over a new connection, with its status, firmware, a setting and a file. The result is
 * scaled to the default interval. The virtual devices run in a process of their own.
 */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const { Device } = require('../dist/src/runtime/device/device.js');
const { Supervision } = require('../dist/src/runtime/supervision/supervision.js');

const [count = 500, seconds = 60] = process.argv.slice(2).map(Number);
const intervalSeconds = 10;
const defaultSeconds = 300;
const maxShare = 0.01;

const { child, addresses } = await startDevices();
const devices = addresses.map((address, index) => {
  const properties = { name: `Device ${index}`, address, auth: 'standard', timeout: 10 };
  const surroundings = { tlsOptions: () => ({}), endpoint: () => undefined, environment: { warn() {} } };
  return new Device(`device-${index}`, properties, 'bench', surroundings);
});
let results = 0;
const wrong = new Map();
const supervision = new Supervision(
  () => ({ list: devices.map((device) => ({ device })), single: false, maxParallel: 100 }),
  {
    interval: intervalSeconds * 1000,
    misses: 3,
    clock: 15,
    firmware: '5.5',
    sip: true,
    settings: [{ name: 'audio.page.vol', value: '-18dB', isSecret: false }],
    files: [{ path: 'tones/chime.wav' }],
    certificateDays: 30,
  },
  {
    change: ({ device, state }) => wrong.set(device, state),
    show: () => {
      results += 1;
    },
    fault: (_asked, { message }) => console.error(message),
  },
  { entries: [], set() {}, delete() {}, batch: (change) => change() },
);
try {
  supervision.follow();
  // The code is compiled, and the first checks of all devices end.
  await sleep(2 * intervalSeconds * 1000);
  const before = { results, cpu: process.cpuUsage() };
  await sleep(seconds * 1000);
  const { user, system } = process.cpuUsage(before.cpu);
  const checks = results - before.results;
  const cpuMs = (user + system) / 1000 / checks;
  const share = (cpuMs * count) / (defaultSeconds * 1000);
  console.log(`${checks} checks of ${count} devices, of which ${wrong.size} were not ok`);
  console.log(`processor time of a check: ${cpuMs.toFixed(2)} ms`);
  console.log(`${count} devices every ${defaultSeconds} s: ${(share * 100).toFixed(2)} % of a core`);
  if (!(share < maxShare) || wrong.size > 0) process.exitCode = 1;
} finally {
  supervision.stop();
  await Promise.all(devices.map((device) => device.close()));
  child.kill();
}

async function startDevices() {
  const cli = fileURLToPath(new URL('../dist/src/virtual-device/cli.js', import.meta.url));
  const options = ['--json', '--model', '8301', '--password', 'bench', '--count', String(count)];
  const child = spawn(process.execPath, [cli, ...options], { stdio: ['ignore', 'pipe', 'ignore'] });
  const addresses = [];
  for await (const line of createInterface({ input: child.stdout })) {
    addresses.push(JSON.parse(line).address);
    if (addresses.length === count) break;
  }
  return { child, addresses };
}
