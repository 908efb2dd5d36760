/** What a device with its node takes of memory, before it is used and after one message. */
import { fanFlow } from '../contestants/flow.mjs';
import { tone } from '../contestants/jobs.mjs';
import { failuresMetric } from './metrics.mjs';

/** Bytes in use with so many devices: idle, and after one message to each. */
async function bytesOf(bench, contestant, count) {
  const flow = fanFlow(contestant.kind, bench.addresses.slice(0, count), tone);
  const subject = await bench.nodeRed(contestant, flow);
  const idle = await subject.ask('memory');
  const { failures } = await subject.ask('drive', { count: 1, answers: count });
  const used = await subject.ask('memory');
  await subject.stop();
  return { idle: idle.used, used: used.used, failures };
}

export const memories = {
  name: 'memory',
  title: 'Memory of a device with its node',
  base: 'bare',
  contestants: ['stock-kept', 'bare', 'bare-core', 'ours'],
  rounds: { full: 1, quick: 1 },
  metrics: [
    { key: 'idle', title: 'idle', unit: 'kB', compared: true },
    { key: 'used', title: 'used once', unit: 'kB', compared: true },
    failuresMetric,
  ],
  warmUpRound: false,
  start: () => ({ stop() {} }),
  async sample(bench, _subject, contestant) {
    const count = bench.size(1000, 300);
    const one = await bytesOf(bench, contestant, 1);
    const many = await bytesOf(bench, contestant, count);
    const perDevice = (key) => (many[key] - one[key]) / (count - 1) / 1000;
    return { idle: perDevice('idle'), used: perDevice('used'), failures: many.failures };
  },
};
