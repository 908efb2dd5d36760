/** What a process can say of itself: processor time, memory, how long its event loop was held. */
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

const require = createRequire(import.meta.url);

/** Often enough to see 50 ms well, seldom enough to cost nothing. */
const resolutionMs = 5;

/** Microseconds of processor time, of all threads, since the process began. */
export function cpu() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Bytes that are in use, in the heap and beside it, and that the process holds. */
export async function memory() {
  // Twice: what the first collection frees of streams and sockets goes with the second.
  global.gc();
  await sleep(200);
  global.gc();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { used: heapUsed + external, rss };
}

/** The files of the CommonJS modules that are loaded. */
export function modules() {
  return Object.keys(require.cache);
}

/** Milliseconds of processor time, of the thread that runs the event loop where Node can tell. */
function threadCpuMs() {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Watches the event loop, in processor time: that a busy machine runs something else meanwhile is no fault of
 * what is measured. What it returns ends that, and resolves to the longest turn in milliseconds.
 */
export function watchLoop() {
  let longest = 0;
  let last = threadCpuMs();
  const tick = () => {
    const now = threadCpuMs();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(tick, resolutionMs);
  return async () => {
    // The turn that is under way now is seen by the tick that comes after it.
    await sleep(4 * resolutionMs);
    clearInterval(timer);
    return Math.max(0, longest - resolutionMs);
  };
}
