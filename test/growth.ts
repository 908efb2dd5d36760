/** Each is ten times the one before the last. */
const sizes = [100, 300, 1_000, 3_000, 10_000, 30_000, 100_000];

/** Ten times the text takes ten times as long where the growth is linear, a hundred times where it is quadratic. */
const mostGrowth = 30;

/** What takes less says nothing, in milliseconds. */
const noiseMs = 4;

/** What exceeds a limit so many times was not delayed by chance. */
const beyondDoubt = 10;

/** What is repeated to be sure that it takes that long, since a machine now and then does something else. */
const tries = 5;

/**
 * Does the same to longer and longer texts, up to 100,000 characters, until the time it takes grows faster than
 * the texts do. Times are compared with each other, never with a clock's, and are the processor's, which a busy
 * machine does not lengthen.
 * @param make a text of so many characters
 * @returns what grew too fast, or nothing
 */
export function fasterThanLinear<T>(
  make: (length: number) => T,
  work: (made: T) => unknown,
): string | undefined {
  const times: number[] = [];
  for (const size of sizes) {
    const made = make(size);
    const beforeMs = times.at(-2) ?? Number.POSITIVE_INFINITY;
    const limitMs = mostGrowth * Math.max(beforeMs, noiseMs);
    const tookMs = leastMsOf(() => work(made), noiseMs, limitMs);
    if (tookMs > limitMs) {
      return `${size} characters take ${tookMs.toFixed(1)} ms, a tenth of them ${beforeMs.toFixed(1)} ms`;
    }
    times.push(tookMs);
  }
  return undefined;
}

/**
 * The shortest of some tries, in milliseconds.
 * @param enoughMs a try that is this short will do
 * @param limitMs so will any try within the limit, once there was another one
 */
export function leastMsOf(work: () => unknown, enoughMs: number, limitMs = enoughMs): number {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 1; count <= tries; count++) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    const tookMs = (user + system) / 1000;
    least = Math.min(least, tookMs);
    if (least <= enoughMs || (least <= limitMs && count > 1)) break;
    if (tookMs > beyondDoubt * Math.max(limitMs, noiseMs)) break;
  }
  return least;
}
