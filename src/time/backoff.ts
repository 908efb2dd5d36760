/**
 * The limits of the pause between two tries. The pause starts at `firstMs` and doubles after each failure, up
 * to `maxMs`.
 */
export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

/**
 * Returns the pause before the next try, in milliseconds, without jitter.
 * @param failures number of consecutive failures before the last failure: 0 after the first
 */
export function backoffMs(failures: number, { firstMs, maxMs }: Backoff): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(failures, 32));
}
