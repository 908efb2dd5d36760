/** What it costs to find the devices that a message names, among few and among many. */
import { actionFlow } from '../contestants/flow.mjs';
import { tone } from '../contestants/jobs.mjs';

/** Nobody listens there: these devices are only passed over. */
const silent = 'http://127.0.0.1:9';

const questions = {
  name: { title: 'one by its name', few: 10, device: () => 'Device 7', per: 1, count: [1000, 200] },
  tag: { title: 'one by its tag', few: 10, device: () => 'tag:tag 7', per: 1, count: [1000, 200] },
  names: {
    title: '500 by their names, for each',
    few: 500,
    device: () => Array.from({ length: 500 }, (_, index) => `Device ${index}`),
    per: 500,
    count: [2, 1],
  },
};

const many = 10_000;

export const finding = {
  name: 'find',
  title: 'A message to devices that it names: among 10,000 against among few',
  contestants: ['ours'],
  rounds: { full: 5, quick: 2 },
  metrics: Object.entries(questions).flatMap(([key, { title, few }]) => [
    { key: `${key}Few`, title: `${title}, among ${few}`, unit: 'µs', compared: true },
    { key: `${key}Many`, title: `${title}, among 10,000`, unit: 'µs', compared: true },
    { key: `${key}Ratio`, title: `${title}, ratio`, unit: 'times' },
  ]),

  async start(bench, contestant) {
    const subjects = new Map();
    for (const count of [10, 500, many]) {
      const addresses = Array.from({ length: count }, (_, index) =>
        index < 500 ? bench.addresses[index] : silent,
      );
      const flow = actionFlow(contestant.kind, addresses, [{ job: tone, targets: 'msg' }]);
      subjects.set(count, await bench.nodeRed(contestant, flow));
    }
    return {
      ask: (count, order) => subjects.get(count).ask('drive', order),
      stop: () => Promise.all([...subjects.values()].map((subject) => subject.stop())),
    };
  },

  async sample(bench, subject) {
    const found = {};
    for (const [key, { few, device, per, count }] of Object.entries(questions)) {
      const order = { count: bench.size(...count), message: { device: device() } };
      const cost = async (among) => {
        await subject.ask(among, { ...order, count: 1 });
        const { cpu, failures } = await subject.ask(among, order);
        if (failures > 0) throw new Error(`a message that names devices among ${among} failed`);
        return cpu / order.count / per;
      };
      found[`${key}Few`] = await cost(few);
      found[`${key}Many`] = await cost(many);
      found[`${key}Ratio`] = found[`${key}Many`] / found[`${key}Few`];
    }
    return found;
  },
};
