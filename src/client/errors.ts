/** Every error code of the contract, in its order. A code never says more than the client knows. */
export const errorCodes = [
  'INVALID_PARAMETER',
  'NOT_CONFIGURED',
  'NOT_SUPPORTED',
  'UNREACHABLE',
  'TLS_UNTRUSTED',
  'TIMEOUT',
  'AUTHENTICATION',
  'REFUSED',
  'PROTOCOL',
  'EXPIRED',
  'QUEUE_FULL',
  'ABORTED',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** What is known of a failure beside its code and its sentence. */
export interface ErrorDetails {
  /** Bytes of the request may have reached the device. */
  readonly sent?: boolean;
  /** `unknown`: sent without a clear answer, it may have been done. */
  readonly outcome?: 'failed' | 'unknown';
  /** How many requests were sent. */
  readonly attempts?: number;
  readonly statusCode?: number;
  /** What the device answered, where it could be read. */
  readonly response?: unknown;
  readonly cause?: unknown;
}

/** Raised for everything that keeps a request from a clear yes. Its message is a sentence without secrets. */
export class DeviceError extends Error {
  override readonly name = 'DeviceError';
  readonly code: ErrorCode;
  readonly sent: boolean;
  readonly outcome: 'failed' | 'unknown';
  readonly attempts: number;
  readonly statusCode?: number;
  readonly response?: unknown;
  /** Milliseconds from leaving the queue to the failure, where the request got that far. */
  latencyMs?: number;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.sent = details.sent ?? false;
    this.outcome = details.outcome ?? 'failed';
    this.attempts = details.attempts ?? 0;
    if (details.statusCode !== undefined) this.statusCode = details.statusCode;
    if (details.response !== undefined) this.response = details.response;
  }
}
