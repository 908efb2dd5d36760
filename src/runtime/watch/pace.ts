import { backoffMs } from '../../time/backoff';

/** No device is read more often than every 0.2 s, in milliseconds. */
export const minIntervalMs = 200;

/** Longer intervals than a day are typing errors, in milliseconds. */
export const maxIntervalMs = 86_400_000;

/** A device that is away is read at least this often, in milliseconds. */
const maxBackoffMs = 30_000;

/** The first readings of all devices are spread over an interval, but over no more than this. */
const maxSpreadMs = 5_000;

/**
 * When to read for the first time.
 * @param random from 0 up to 1
 */
export function firstDelayMs(intervalMs: number, random: number): number {
  return random * Math.min(intervalMs, maxSpreadMs);
}

/**
 * Milliseconds from now to the next reading: one interval after the last one began. A reading that took
 * longer skips the ones that it covered, so that a slow device is read less often.
 * @param tookMs how long ago the last reading began
 */
export function nextDelayMs(intervalMs: number, tookMs: number): number {
  const intervals = Math.max(1, Math.ceil(tookMs / intervalMs));
  return intervals * intervalMs - tookMs;
}

/**
 * The interval while a device is away: twice as long after each miss, up to 30 s.
 * @param extra how many readings were missed since contact was lost, the last one included
 */
export function awayIntervalMs(intervalMs: number, extra: number): number {
  return backoffMs(extra, { firstMs: intervalMs, maxMs: maxBackoffMs });
}

/**
 * The interval of a watcher that adapts: a quarter of its own for ten intervals after a change, four times its
 * own once nothing has changed for a hundred.
 */
export function adaptedIntervalMs(intervalMs: number, unchangedMs: number): number {
  if (unchangedMs < 10 * intervalMs) return Math.max(minIntervalMs, intervalMs / 4);
  if (unchangedMs < 100 * intervalMs) return intervalMs;
  return Math.min(4 * intervalMs, Math.max(intervalMs, 60_000));
}
