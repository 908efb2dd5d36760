/** What a measured process tells its parent when it is asked: processor time, memory, and the edges it saw. */

const edges = [];

/** A relay input was seen to change. */
export function sawEdge(address, state) {
  edges.push({ address, state, at: Date.now() });
}

async function memory() {
  // Twice: what the first collection frees of streams and sockets goes with the second.
  global.gc();
  await new Promise((resolve) => setTimeout(resolve, 200));
  global.gc();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, rss };
}

/** Answers the parent from now on. */
export function listen() {
  process.on('message', async ({ ask }) => {
    if (ask === 'cpu') process.send({ cpu: process.cpuUsage() });
    if (ask === 'memory') process.send({ memory: await memory() });
    if (ask === 'edges') process.send({ edges: edges.splice(0) });
  });
  process.on('disconnect', () => process.exit());
  process.send({ ready: true });
}
