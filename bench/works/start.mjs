/** What Node-RED's start takes with the package beyond what it takes without, and what the first message takes. */
import { actionFlow } from '../contestants/flow.mjs';
import { tone } from '../contestants/jobs.mjs';
import { chainsToEach } from './messages.mjs';
import { failuresMetric } from './metrics.mjs';

const noFlow = { flow: [], credentials: {} };

/** Starts a Node-RED and says what that took. */
async function startOnce(bench, contestant) {
  const subject = await bench.nodeRed(contestant, noFlow);
  const { used, rss } = await subject.ask('memory');
  const modules = await subject.ask('modules');
  await subject.stop();
  return { cpu: subject.started.cpu / 1000, modules: modules.length, used: used / 1e6, rss: rss / 1e6 };
}

export const starts = {
  name: 'start',
  title: 'Start of Node-RED with the package and no flow, beyond one without',
  contestants: ['ours', 'ours-4.1'],
  rounds: { full: 5, quick: 2 },
  metrics: [
    { key: 'cpu', title: 'CPU', unit: 'ms', compared: true },
    { key: 'used', title: 'memory in use', unit: 'MB' },
    { key: 'rss', title: 'resident memory', unit: 'MB' },
    { key: 'modules', title: 'modules loaded', unit: '' },
  ],
  warmUpRound: false,
  start: () => ({ stop() {} }),
  async sample(bench, _subject, contestant) {
    const without = await startOnce(bench, { ...contestant, ours: undefined });
    const withPackage = await startOnce(bench, contestant);
    return Object.fromEntries(Object.keys(without).map((key) => [key, withPackage[key] - without[key]]));
  },
};

export const firstMessage = {
  name: 'first-message',
  title: 'The first message after a start',
  base: 'bare',
  contestants: ['stock', 'bare', 'bare-core', 'ours'],
  rounds: { full: 4, quick: 1 },
  metrics: [
    { key: 'ms', title: 'duration', unit: 'ms', compared: true },
    { key: 'cpu', title: 'CPU', unit: 'ms', compared: true },
    failuresMetric,
  ],
  warmUpRound: false,
  start: () => ({ stop() {} }),
  async sample(bench, _subject, contestant) {
    const flow = actionFlow(contestant.kind, bench.addresses.slice(0, 1), chainsToEach(1, tone));
    const subject = await bench.nodeRed(contestant, flow);
    const { cpu, ms, failures } = await subject.ask('drive', { count: 1 });
    await subject.stop();
    return { cpu: cpu / 1000, ms, failures };
  },
};
