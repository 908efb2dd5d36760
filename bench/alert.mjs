/**
 * How long an alert needs to its last device: `npm run bench -- alert [devices] [rounds]`. So many
 * devices (500), one of 25 of them dead (it takes the connection and never answers), and three actions each. From the
 * message to the request of the last healthy device's last action, for an alert, and for three plain action nodes on
 * the same group; in turns, each in a Node-RED of its own. Most of a round is spent on waiting for the dead ones:
 * three actions at 2 s each, for both, and the alert's clear.
 */
import os from 'node:os';
import { contestants } from './contestants/index.mjs';
import { actions } from './contestants/jobs.mjs';
import { ours } from './contestants/ours.mjs';
import { ratioOf, spreadOf } from './report/statistics.mjs';
import { openBench } from './rounds.mjs';

const [count = 500, rounds = 3] = process.argv.slice(2).map(Number);
const deadEach = 25;

const onTab = { z: 'tab', x: 100, y: 100 };
const toAll = { target: 'group', group: 'all' };
const sink = { ...onTab, id: 'sink', type: 'bench-sink', wires: [] };

/** Devices, a group of all of them, and what starts and ends the same three actions at each. */
function flowOf(addresses, acting, first) {
  const { nodes, credentials } = ours.devices(addresses);
  const known = nodes.map((node) => ({ ...node, model: '8410', firmware: '5.7', timeout: '2' }));
  const flow = [
    { id: 'tab', type: 'tab', label: 'bench' },
    ...known,
    { id: 'all', type: 'algo-group', name: 'All', devices: nodes.map(({ id }) => id) },
    { ...onTab, id: 'source', type: 'bench-source', index: 0, wires: [first] },
    ...acting.map((node) => ({ ...onTab, ...toAll, ...node })),
    sink,
    { ...onTab, id: 'catch', type: 'catch', scope: null, uncaught: false, wires: [['errors']] },
    { ...sink, id: 'errors', errors: true },
  ];
  return { flow, credentials };
}

const alert = {
  answers: 1,
  flow: (addresses) =>
    flowOf(
      addresses,
      [{ id: 'alert', type: 'algo-alert', name: 'Alert', actions, wires: [['sink'], []] }],
      ['alert'],
    ),
};

const plain = {
  answers: actions.length,
  flow: (addresses) => {
    const nodes = actions.map(({ operation, form }) => {
      const [resource, id] = operation.split('/');
      return { id: operation, type: `algo-${resource}`, operation: id, form, wires: [['sink']] };
    });
    return flowOf(
      addresses,
      nodes,
      nodes.map(({ id }) => id),
    );
  },
};

const bench = await openBench(false);
try {
  const dead = Math.floor(count / deadEach);
  const healthy = count - dead;
  const { silent } = await bench.devices.ask('openFaulty', { slow: 0, silent: dead, gone: 0, delayMs: 0 });
  const addresses = bench.addresses.slice(0, healthy);
  // Among the others, so that they take their turns.
  for (const [index, address] of silent.entries()) addresses.splice(index * deadEach, 0, address);
  const subjects = new Map();
  for (const one of [plain, alert]) {
    subjects.set(one, await bench.nodeRed(contestants.ours, one.flow(addresses)));
  }

  /** Milliseconds from the message to the last request. */
  async function sample(one) {
    const subject = subjects.get(one);
    const before = await bench.devices.ask('counts');
    const { sentAt, cpu } = await subject.ask('drive', { count: 1, answers: one.answers });
    const lastAt = await bench.devices.ask('takeHealthy');
    const requests = (await bench.devices.ask('counts')).requests - before.requests;
    const expected = healthy * actions.length;
    if (requests !== expected) throw new Error(`${requests} requests came, and not ${expected}`);
    if (one === alert) await subject.ask('drive', { count: 1, message: { operation: 'clear' } });
    return { ms: lastAt - sentAt, cpu: cpu / 1_000 };
  }

  for (const one of [plain, alert]) await sample(one);
  const taken = { plain: [], alert: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? ['plain', 'alert'] : ['alert', 'plain']) {
      taken[name].push(await sample(name === 'plain' ? plain : alert));
    }
  }
  console.log(
    `${count} devices, ${dead} of them dead, ${actions.length} actions; load ${os.loadavg()[0].toFixed(1)}`,
  );
  for (const [key, title] of [
    ['ms', 'until the last request, ms'],
    ['cpu', 'processor time until the message has ended, ms'],
  ]) {
    const [ofPlain, ofAlert] = [taken.plain, taken.alert].map((samples) => samples.map((one) => one[key]));
    const { median, least, most } = ratioOf(ofAlert, ofPlain);
    console.log(
      `${title}: plain nodes ${spreadOf(ofPlain).median.toFixed(0)}, an alert ${spreadOf(ofAlert).median.toFixed(0)}`,
    );
    console.log(`  ratio ${median.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`);
  }
  await Promise.all([...subjects.values()].map((subject) => subject.stop()));
} finally {
  await bench.close();
}
process.exit(0);
