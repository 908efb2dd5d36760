/** A pause that doubles after each failure, in milliseconds. */
export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

/**
 * Returns the pause before the next try, in milliseconds, without jitter.
 * @param failures how many tries have failed before this pause, not counting the first failure
 */
export function backoffMs(failures: number, { firstMs, maxMs }: Backoff): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(failures, 32));
}
