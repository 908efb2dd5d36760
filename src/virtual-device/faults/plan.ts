/** The effects of all faults on one request, decided on its arrival. */
export interface FaultPlan {
  /** Delay before any other effect, in milliseconds of real time. */
  readonly latencyMs: number;
  readonly before?: Before;
  readonly after: After;
  /** Whether an upgrade is announced and leaves the firmware as it is. */
  readonly keepsFirmware: boolean;
  readonly words: string;
}

/** A fault that keeps the device from acting. Only a fault of the kind `status` sends an answer. */
export type Before =
  | { readonly kind: 'lost' }
  | { readonly kind: 'reset-before' }
  | { readonly kind: 'status'; readonly status: number };

export interface After {
  readonly kind: 'whole' | 'unanswered' | 'reset-after' | 'half' | 'garbage' | 'content-type';
  /** Content type of the answer; used only by a fault of the kind `content-type`. */
  readonly contentType: string;
  /** Bytes that replace the answer, generated from the seed; used only by a fault of the kind `garbage`. */
  readonly noise: Buffer;
  readonly bytesPerSecond?: number;
}
