/** What it costs to watch many devices, each by two readings that come again and again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { watchFlow } from '../contestants/flow.mjs';
import { percentile } from '../report/statistics.mjs';

/** Milliseconds from each edge to the message about it, from short to long. */
function latencies(made, seen) {
  const waiting = new Map();
  const all = [...made.map((edge) => ({ ...edge, made: true })), ...seen].sort((a, b) => a.at - b.at);
  const found = [];
  for (const { address, state, at, made: isMade } of all) {
    const last = waiting.get(address);
    if (isMade) waiting.set(address, { state, at });
    else if (last?.state === state) found.push(at - last.at);
  }
  return found.sort((a, b) => a - b);
}

function watchWork({ seconds, ...work }) {
  return {
    base: 'bare',
    metrics: [
      { key: 'cpu', title: 'CPU for each reading', unit: 'µs', compared: true },
      { key: 'perSecond', title: 'readings per second', unit: '' },
      { key: 'late', title: 'edge to message, p99, beyond the interval', unit: 'ms' },
    ],
    rounds: { full: 2, quick: 1 },
    warmUpRound: false,
    ...work,
    start: () => ({ stop() {} }),
    // Each by itself from start to end: it would be busy while the others are measured.
    async sample(bench, _subject, contestant) {
      const count = bench.size(1000, 300);
      const { devices } = bench;
      const flow = watchFlow(contestant.kind, bench.addresses.slice(0, count), seconds);
      const subject = await bench.nodeRed(contestant, flow);
      // Connections are opened and the code is compiled meanwhile: a watch runs for months.
      await sleep(bench.size(5000, 2000));
      await devices.ask('startEdges', { count, everyMs: 5000 * seconds });
      await subject.ask('takeEdges');
      const before = { cpu: await subject.ask('cpu'), ...(await devices.ask('counts')) };
      const from = performance.now();
      await sleep(bench.size(7000, 3000));
      const after = { cpu: await subject.ask('cpu'), ...(await devices.ask('counts')) };
      const elapsed = performance.now() - from;
      const made = await devices.ask('stopEdges');
      const seen = await subject.ask('takeEdges');
      await subject.stop();
      const requests = after.requests - before.requests;
      return {
        cpu: (after.cpu - before.cpu) / requests,
        perSecond: (requests / elapsed) * 1000,
        late: percentile(latencies(made, seen), 0.99) - seconds * 1000,
      };
    },
  };
}

export const watching = watchWork({
  name: 'watch',
  title: 'Watching 1,000 devices, two readings a second each',
  contestants: ['stock', 'bare', 'ours'],
  seconds: 1,
});

export const watchingFast = watchWork({
  name: 'watch-fast',
  title: 'Watching 1,000 devices, four readings a second each',
  contestants: ['bare', 'ours'],
  rounds: { full: 2, quick: 0 },
  seconds: 0.5,
});
