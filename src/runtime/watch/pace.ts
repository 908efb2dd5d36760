import { backoffMs } from '../../kernel/time/backoff';

export const minIntervalMs = 200;

export const maxIntervalMs = 86_400_000;

/**
 * Maximum interval between readings of an offline device, in milliseconds, also if the interval of the node
 * is longer.
 */
const maxBackoffMs = 30_000;

/** Maximum period over which the first readings of all devices are spread, in milliseconds. */
const maxSpreadMs = 5_000;

/** @param random number from 0 (included) to 1 (excluded) */
export function firstDelayMs(intervalMs: number, random: number): number {
  return random * Math.min(intervalMs, maxSpreadMs);
}

/**
 * Returns the delay until the next reading, in milliseconds. If a reading takes longer than an interval, the
 * missed intervals are skipped.
 * @param tookMs time since the last reading began, in milliseconds
 */
export function nextDelayMs(intervalMs: number, tookMs: number): number {
  const intervals = Math.max(1, Math.ceil(tookMs / intervalMs));
  return intervals * intervalMs - tookMs;
}

/**
 * Returns the interval between readings of an offline device, in milliseconds: `intervalMs`, doubled for each
 * miss in `extra`, at most 30 s.
 * @param extra number of misses since the device went offline, including the last miss
 */
export function awayIntervalMs(intervalMs: number, extra: number): number {
  return backoffMs(extra, { firstMs: intervalMs, maxMs: maxBackoffMs });
}

/**
 * Returns the adaptive interval of a watcher, in milliseconds.
 * - Less than ten intervals after a change: a quarter of the interval, but at least `minIntervalMs`.
 * - From ten to less than a hundred intervals after a change: the interval.
 * - Later: four times the interval, but at most 60 s. An interval above 60 s stays unchanged.
 */
export function adaptedIntervalMs(intervalMs: number, unchangedMs: number): number {
  if (unchangedMs < 10 * intervalMs) return Math.max(minIntervalMs, intervalMs / 4);
  if (unchangedMs < 100 * intervalMs) return intervalMs;
  return Math.min(4 * intervalMs, Math.max(intervalMs, 60_000));
}
