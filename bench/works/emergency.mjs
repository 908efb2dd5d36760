/** How long an emergency needs to the wire when messages wait at its device that were sent in the same turn. */
import { actionFlow } from '../contestants/flow.mjs';
import { emergency, tone } from '../contestants/jobs.mjs';

function metric(waiting) {
  const title = waiting === 0 ? 'alone' : `behind ${waiting.toLocaleString('en-US')}`;
  return { key: `after${waiting}`, title, unit: 'ms', compared: true };
}

export const emergencies = {
  name: 'emergency',
  title: 'An emergency, from its message to the wire',
  base: 'bare',
  contestants: ['stock', 'bare', 'ours'],
  rounds: { full: 3, quick: 1 },
  metrics: [0, 1_000, 10_000].map(metric),
  start: (bench, contestant) => {
    const chains = [tone, emergency].map((job) => ({ job, targets: [0] }));
    return bench.nodeRed(contestant, actionFlow(contestant.kind, bench.addresses.slice(0, 1), chains));
  },
  async sample({ devices }, subject) {
    const taken = {};
    for (const waiting of [0, 1_000, 10_000]) {
      const { sentAt } = await subject.ask('drive', { count: waiting + 1, lanes: waiting + 1, last: 1 });
      taken[`after${waiting}`] = (await devices.ask('takeEmergency')) - sentAt;
    }
    return taken;
  },
};
