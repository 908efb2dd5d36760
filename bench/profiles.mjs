/**
 * A profile of settings at many devices: `npm run bench -- profiles [rounds] [devices] [names]`.
 *
 * Compares, applies and backs up 40 settings at 200 virtual devices in a group. For each: the longest turn of the event
 * loop in processor time, the time until the message leaves the node, and the requests on the wire.
 */
import os from 'node:os';
import { contestants } from './contestants/index.mjs';
import { ours } from './contestants/ours.mjs';
import { start } from './processes/parent.mjs';
import { spreadOf } from './report/statistics.mjs';
import { openBench } from './rounds.mjs';

const [rounds = 5, many = 200, count = 40] = process.argv.slice(2).map(Number);

const onTab = { z: 'tab', x: 100, y: 100 };
const byMessage = { operation: 'msg', parametersType: 'msg', parameters: 'payload' };
const bench = await openBench(false);
const devices = start('devices/virtual.mjs');

const profileOf = (value) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`bench.setting${index}`, value]));

try {
  console.log(`load ${os.loadavg()[0].toFixed(1)}`);
  const addresses = await devices.ask('open', { count: many });
  const { nodes, credentials } = ours.devices(addresses);
  const known = nodes.map((node) => ({ ...node, model: '8301', firmware: '5.7' }));
  const flow = [
    { id: 'tab', type: 'tab', label: 'bench' },
    ...known,
    { id: 'all', type: 'algo-group', name: 'All', devices: addresses.map((_, index) => `device${index}`) },
    { ...onTab, id: 'source0', type: 'bench-source', index: 0, wires: [['settings']] },
    {
      ...{ ...onTab, ...byMessage, id: 'settings', type: 'algo-settings', wires: [['sink']] },
      ...{ target: 'group', group: 'all', ttl: '0' },
    },
    { ...onTab, id: 'sink', type: 'bench-sink', wires: [] },
    { ...onTab, id: 'catch', type: 'catch', scope: null, uncaught: false, wires: [['errors']] },
    { ...onTab, id: 'errors', type: 'bench-sink', errors: true, wires: [] },
  ];
  const subject = await bench.nodeRed(contestants.ours, { flow, credentials });
  const send = async (operation, payload) => {
    const result = await subject.ask('drive', { count: 1, last: 0, message: { operation, payload } });
    const { requests } = await devices.ask('take');
    if (result.failures > 0) throw new Error(`${operation} failed`);
    return { ...result, requests };
  };
  await send('put', profileOf('0'));
  await send('compare', profileOf('0'));
  const works = {
    'compare, nothing differs': () => send('compare', profileOf('0')),
    'compare, all differ': () => send('compare', profileOf('-')),
    'apply, nothing differs': () => send('apply', profileOf('0')),
    'apply, all differ': async (round) => {
      const result = await send('apply', profileOf(String(round + 1)));
      await send('put', profileOf('0'));
      return result;
    },
    backup: () => send('backup', profileOf('0')),
  };
  console.log(`${count} settings at ${many} devices, ${rounds} rounds`);
  for (const [title, work] of Object.entries(works)) {
    const taken = [];
    for (let round = 0; round < rounds; round += 1) taken.push(await work(round));
    const { median } = spreadOf(taken.map(({ ms }) => ms));
    const hold = Math.max(...taken.map((one) => one.hold));
    console.log(
      `${title.padEnd(26)} ${median.toFixed(0).padStart(6)} ms, longest turn ${hold.toFixed(1)} ms, ${taken[0].requests} requests`,
    );
  }
  await subject.stop();
} finally {
  await devices.stop();
  await bench.close();
}
process.exit(0);
