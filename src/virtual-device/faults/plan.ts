/** What befalls one request; made once, when it has come. */
export interface FaultPlan {
  /** How long it waits first: milliseconds, of the time outside of the device. */
  readonly latencyMs: number;
  /** What keeps the device from acting, if anything does. */
  readonly before?: Before;
  /** What becomes of the answer, once the device has acted. */
  readonly after: After;
  /** In words, for the log. */
  readonly words: string;
}

/** A status is all that is answered then; otherwise nothing is. */
export type Before =
  | { readonly kind: 'lost' }
  | { readonly kind: 'reset-before' }
  | { readonly kind: 'status'; readonly status: number };

export interface After {
  readonly kind: 'whole' | 'unanswered' | 'reset-after' | 'half' | 'garbage' | 'content-type';
  /** Instead of the right one, where that is the fault. */
  readonly contentType: string;
  /** Instead of the answer, where that is the fault: bytes that the seed decides. */
  readonly noise: Buffer;
  /** As fast as it goes without it. */
  readonly bytesPerSecond?: number;
}
