/**
 * What bells cost: `npm run bench -- bells [events]`. A virtual device in a process of its
 * own holds so many bells (2,000); here a real node makes them, changes one, looks ahead, and goes through a calendar
 * file. For each its processor time, and the longest time, in processor time too, for which nobody else had a turn.
 */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { cpu, watchLoop } from './processes/probe.mjs';

const require = createRequire(import.meta.url);
const { ask, startFlow, stopFlow } = require('../dist/test/fixtures/flow');
const count = Number(process.argv[2] ?? 2000);

const bells = Array.from({ length: count }, (_, index) => ({
  name: `Bell ${index}`,
  time: `${String(Math.floor(index / 60) % 24).padStart(2, '0')}:${String(index % 60).padStart(2, '0')}`,
  days: ['mon-fri', 'daily', 'mon,wed', 'sat'][index % 4],
  audio: 'bell-na.wav',
  from: `2030-0${1 + (index % 9)}-01`,
  until: '2031-07-18',
  except: index % 2 === 0 ? ['2030-12-24', { start: '2030-12-27', end: '2031-01-06' }] : [],
}));
const tag = 'bench';
const changed = bells.map((bell, index) => (index === 7 ? { ...bell, audio: 'gong.wav' } : bell));

const cli = require.resolve('../dist/src/virtual-device/cli.js');
const device = spawn(process.execPath, [cli, '--json', '--auth', 'none', '--port', '0'], {
  stdio: ['ignore', 'pipe', 'ignore'],
});
const [line] = await new Promise((resolve) => {
  createInterface({ input: device.stdout }).once('line', (text) => resolve([text]));
});
const { address } = JSON.parse(line);
await startFlow([
  {
    id: 'device',
    type: 'algo-device',
    name: 'Bench',
    address,
    auth: 'none',
    model: '8301',
    firmware: '5.7',
    timeout: '60',
  },
  {
    id: 'scheduler',
    type: 'algo-scheduler',
    target: 'device',
    device: 'device',
    operation: 'msg',
    parametersType: 'msg',
    parameters: 'payload',
  },
]);

async function measure(title, operation, payload) {
  const held = watchLoop();
  const before = cpu();
  const { sent, caught } = await ask('scheduler', { operation, payload });
  const ms = (cpu() - before) / 1000;
  const longest = await held();
  const failed = caught[0]?.error?.message.slice(0, 200) ?? '';
  console.log(
    `${title.padEnd(44)} ${ms.toFixed(0).padStart(6)} ms CPU, held ${longest.toFixed(0).padStart(4)} ms ${failed}`,
  );
  return sent[0]?.payload;
}

await measure(`sync of ${count} new bells`, 'sync', { tag, bells });
await measure('sync of one change', 'sync', { tag, bells: changed });
await measure('sync of nothing', 'sync', { tag, bells: changed });
await measure('preview of 400 days as they would be', 'preview', {
  tag,
  bells,
  from: '2030-08-01',
  days: 400,
});
const ics = await measure('export of 400 days', 'export', { from: '2030-08-01', days: 400 });
await measure('import of a part of it', 'import', {
  ics: `${String(ics).split('BEGIN:VEVENT').slice(0, 401).join('BEGIN:VEVENT')}END:VCALENDAR`,
  as: 'bells',
  tag: 'other',
  audio: 'bell-na.wav',
});
await stopFlow();
device.kill();
process.exit(0);
