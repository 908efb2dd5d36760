export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

/**
 * Returns the pause before the next try, in milliseconds, without jitter.
 * @param failures number of failures in a row, not counting the first: 0 after the first failure
 */
export function backoffMs(failures: number, { firstMs, maxMs }: Backoff): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(failures, 32));
}
