/** Works that send messages through a flow and say what each one took. */
import { actionFlow } from '../contestants/flow.mjs';
import { receive, tone } from '../contestants/jobs.mjs';
import { cpuMetric, failuresMetric, holdMetric } from './metrics.mjs';

/** A chain to each of so many devices. */
export function chainsToEach(count, job) {
  return Array.from({ length: count }, (_, index) => ({ job, targets: [index] }));
}

/**
 * A work that drives a flow in each round.
 * @param {object} work name, title, contestants and so on
 * @param {number} work.devices how many there are
 * @param {object[]} work.chains of the flow
 * @param {(size, contestant) => object} work.order what to drive, see `drive`
 * @param {number} [work.per] into how many parts the CPU of a message is divided
 * @param {number} [work.warmUp] messages before each sample, beyond the round that warms up
 */
export function messageWork({ devices, chains, order, per = 1, warmUp = 0, ...work }) {
  return {
    base: 'bare',
    metrics: [cpuMetric, failuresMetric],
    ...work,
    start: (bench, contestant) =>
      bench.nodeRed(contestant, actionFlow(contestant.kind, bench.addresses.slice(0, devices), chains)),
    async sample(bench, subject, contestant) {
      const asked = order(bench.size, contestant);
      if (warmUp > 0) await subject.ask('drive', { ...asked, count: warmUp });
      const { cpu, ...rest } = await subject.ask('drive', asked);
      return { ...rest, cpu: cpu / asked.count / per };
    },
  };
}

const everybody = ['stock', 'stock-kept', 'bare', 'bare-core', 'ours', 'ours-4.1', 'empty'];

export const oneAtATime = messageWork({
  name: 'one-at-a-time',
  title: 'A message, one at a time',
  contestants: everybody,
  devices: 1,
  chains: chainsToEach(1, tone),
  order: (size) => ({ count: size(800, 300) }),
});

export const inFlight = messageWork({
  name: 'in-flight',
  title: 'A message, 32 devices in flight',
  contestants: everybody,
  devices: 32,
  chains: chainsToEach(32, tone),
  order: (size) => ({ count: size(2000, 1000), lanes: 32, over: 32 }),
});

export const allDevices = messageWork({
  name: 'all-devices',
  title: '500 devices with one message, for each device',
  contestants: everybody.filter((name) => name !== 'empty'),
  devices: 500,
  chains: [{ job: tone, targets: Array.from({ length: 500 }, (_, index) => index) }],
  per: 500,
  warmUp: 1,
  order: (size, { kind }) => ({
    count: size(3, 2),
    answers: kind.splits ? 500 : 1,
    message: kind.toAll,
  }),
});

const overAll = messageWork({
  name: 'in-turn',
  title: 'A message, 32 in flight, 1,000 devices in turn',
  contestants: ['stock', 'bare', 'ours'],
  rounds: { full: 9, quick: 0 },
  metrics: [
    cpuMetric,
    { key: 'among32', title: 'CPU, 32 of them in turn', unit: 'µs', compared: true },
    failuresMetric,
  ],
  devices: 1000,
  chains: chainsToEach(1000, receive),
});

/** The same flow over all of its devices and over a few, so that only how many are used differs. */
export const inTurn = {
  ...overAll,
  async sample(bench, subject) {
    const count = bench.size(4000, 1000);
    const over = async (devices) => {
      await subject.ask('drive', { count: 1000, lanes: 32, over: devices });
      return subject.ask('drive', { count, lanes: 32, over: devices });
    };
    const [few, all] = [await over(32), await over(1000)];
    return {
      cpu: all.cpu / count,
      among32: few.cpu / count,
      failures: few.failures + all.failures,
    };
  },
};

/** All messages to one device in one turn of the event loop. */
function burst(count, contestants, rounds) {
  return messageWork({
    name: `burst-${count}`,
    title: `A burst of ${count.toLocaleString('en-US')} to one device, for each message`,
    contestants,
    rounds,
    // Long ones warm up by themselves.
    warmUpRound: count < 20_000,
    metrics: [cpuMetric, holdMetric, failuresMetric],
    devices: 1,
    chains: chainsToEach(1, tone),
    order: () => ({ count, lanes: count }),
  });
}

export const bursts = [
  burst(100, ['stock', 'bare', 'ours', 'empty'], { full: 9, quick: 0 }),
  burst(5_000, ['stock', 'bare', 'ours', 'empty'], { full: 3, quick: 1 }),
  burst(20_000, ['stock', 'bare', 'ours', 'empty'], { full: 2, quick: 0 }),
  // Stock takes minutes: each of its messages costs more, the more wait.
  burst(50_000, ['bare', 'ours', 'empty'], { full: 2, quick: 0 }),
];
