/** The effects of all faults on one request, decided on its arrival. */
export interface FaultPlan {
  /** Delay before any other effect, in milliseconds of the time outside the device. */
  readonly latencyMs: number;
  /** The fault that keeps the device from acting, if any. */
  readonly before?: Before;
  /** The fault of the answer after the device has acted. */
  readonly after: After;
  /** Description for the log. */
  readonly words: string;
}

/** A fault before the device acts. Only `status` sends an answer. */
export type Before =
  | { readonly kind: 'lost' }
  | { readonly kind: 'reset-before' }
  | { readonly kind: 'status'; readonly status: number };

export interface After {
  readonly kind: 'whole' | 'unanswered' | 'reset-after' | 'half' | 'garbage' | 'content-type';
  /** Content type that replaces the right one, for that kind of fault. */
  readonly contentType: string;
  /** Bytes that replace the answer, for that kind of fault, generated from the seed. */
  readonly noise: Buffer;
  /** Speed limit; undefined for none. */
  readonly bytesPerSecond?: number;
}
