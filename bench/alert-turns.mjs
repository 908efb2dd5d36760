/**
 * How long a large alert holds the event loop: `npm run bench -- alert-turns [devices] [rounds]`.
 *
 * Starts and clears an alert of three actions at 1,000 devices. For each: the longest turn of the event loop in
 * processor time, and the time until an emergency at another device is on the wire whose message is sent in the same
 * turn: from its arrival at the node (`latencyMs` - `wireMs`), and from the moment at which both were sent; beside that
 * of an emergency alone.
 */
import os from 'node:os';
import { contestants } from './contestants/index.mjs';
import { actions, emergency } from './contestants/jobs.mjs';
import { ours } from './contestants/ours.mjs';
import { start } from './processes/parent.mjs';
import { spreadOf } from './report/statistics.mjs';
import { openBench } from './rounds.mjs';

const [count = 1000, rounds = 5] = process.argv.slice(2).map(Number);

const onTab = { z: 'tab', x: 100, y: 100 };

const bench = await openBench(false);
// A process of its own: those of the alert have much to answer.
const apart = start('devices/process.mjs');
try {
  const addresses = [...(await apart.ask('open', 1)), ...bench.addresses.slice(0, count)];
  const { nodes, credentials } = ours.devices(addresses);
  const [other, ...all] = nodes.map((node) => ({ ...node, model: '8410', firmware: '5.7' }));
  if (all.length < count) throw new Error(`there are ${all.length} devices, and not ${count}`);
  const flow = [
    { id: 'tab', type: 'tab', label: 'bench' },
    ...[other, ...all],
    { id: 'all', type: 'algo-group', name: 'All', devices: all.map(({ id }) => id) },
    { ...onTab, id: 'source0', type: 'bench-source', index: 0, wires: [['alert']] },
    { ...onTab, id: 'source1', type: 'bench-source', index: 1, wires: [['emergency']] },
    {
      ...{ ...onTab, id: 'alert', type: 'algo-alert', name: 'Alert', actions },
      ...{ target: 'group', group: 'all', wires: [['sink'], []] },
    },
    {
      ...{ ...onTab, id: 'emergency', type: 'algo-emergency', operation: 'start', form: emergency.form },
      ...{ target: 'device', device: other.id, wires: [['sink']] },
    },
    { ...onTab, id: 'sink', type: 'bench-sink', wires: [] },
    { ...onTab, id: 'catch', type: 'catch', scope: null, uncaught: false, wires: [['errors']] },
    { ...onTab, id: 'errors', type: 'bench-sink', errors: true, wires: [] },
  ];
  const subject = await bench.nodeRed(contestants.ours, { flow, credentials });

  /** The alert's message, and the emergency in the same turn if `both`. */
  async function send(message, both = true) {
    const order = both ? { count: 2, lanes: 2, last: 1, message } : { count: 1, message };
    const { hold, sentAt, failures, emergencyMs = 0 } = await subject.ask('drive', order);
    if (failures > 0) throw new Error(`${failures} messages have failed`);
    return { hold, atNode: emergencyMs, late: both ? (await apart.ask('takeEmergency')) - sentAt : 0 };
  }
  const alone = async () => {
    const { sentAt, emergencyMs } = await subject.ask('drive', { count: 1, last: 1 });
    return { hold: 0, atNode: emergencyMs, late: (await apart.ask('takeEmergency')) - sentAt };
  };

  const taken = { alone: [], start: [], clear: [] };
  for (let round = 0; round <= rounds; round += 1) {
    const made = [await alone(), await send({}), await send({ operation: 'clear' })];
    // The first round loads and compiles.
    if (round > 0) for (const [index, key] of Object.keys(taken).entries()) taken[key].push(made[index]);
    else console.log(`first start after Node-RED's: longest turn ${made[1].hold.toFixed(0)} ms`);
  }
  console.log(
    `${count} devices, ${actions.length} actions, ${rounds} rounds; load ${os.loadavg()[0].toFixed(1)}`,
  );
  for (const [key, samples] of Object.entries(taken)) {
    const [hold, atNode, late] = ['hold', 'atNode', 'late'].map((one) =>
      spreadOf(samples.map((sample) => sample[one])).median.toFixed(0),
    );
    const turn = key === 'alone' ? '' : `, longest turn ${hold} ms`;
    console.log(
      `${key}: emergency on the wire ${atNode} ms after its arrival, ${late} ms after it was sent${turn}`,
    );
  }
  await subject.stop();
} finally {
  await apart.stop();
  await bench.close();
}
process.exit(0);
