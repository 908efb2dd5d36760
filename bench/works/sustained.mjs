/** Whether messages cost the same after many of them: ten tenths, the contestants' in turn. */
import { tone } from '../contestants/jobs.mjs';
import { chainsToEach, messageWork } from './messages.mjs';
import { cpuMetric, failuresMetric } from './metrics.mjs';

const work = messageWork({
  name: 'sustained',
  title: '100,000 messages, a tenth of them each round',
  contestants: ['bare', 'ours'],
  rounds: { full: 10, quick: 3 },
  metrics: [
    cpuMetric,
    { key: 'trend', title: 'against the first tenth', unit: 'times' },
    { key: 'growth', title: 'memory since the first tenth', unit: 'MB' },
    failuresMetric,
  ],
  devices: 32,
  chains: chainsToEach(32, tone),
  order: (size) => ({ count: size(10_000, 3_000), lanes: 32, over: 32 }),
});

export const sustained = {
  ...work,
  async sample(bench, subject, contestant) {
    const sample = await work.sample(bench, subject, contestant);
    const { used } = await subject.ask('memory');
    // The round that warms up comes first of all, and is replaced by the first one that counts.
    if (!bench.isWarmUp) subject.first ??= { cpu: sample.cpu, used };
    const first = subject.first ?? { cpu: sample.cpu, used };
    return { ...sample, trend: sample.cpu / first.cpu, growth: (used - first.used) / 1e6 };
  },
};
