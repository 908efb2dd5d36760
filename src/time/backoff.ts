/**
 * The limits of the pause between two tries. The pause doubles after each failure, from `firstMs` to `maxMs`.
 */
export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

/**
 * Returns the pause before the next try, in milliseconds, without jitter.
 * @param failures 0 after the first failure
 */
export function backoffMs(failures: number, { firstMs, maxMs }: Backoff): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(failures, 32));
}
