import { now, type Stall } from './history';

/** How often is looked, and how late a look has to be to count, in milliseconds. */
const everyMs = 20;
const lateMs = 60;

/** Notes from now on when this process could do nothing. @returns what ends that */
export function recordStalls(note: (stall: Stall) => void): () => void {
  let last = now();
  const timer = setInterval(() => {
    const from = last;
    last = now();
    if (last - from > everyMs + lateMs) note({ from, to: last });
  }, everyMs);
  return () => clearInterval(timer);
}
