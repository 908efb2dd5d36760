import { printable } from '../catalogue/describe';
import type { Text } from '../catalogue/localized-message';

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
  'SUPERSEDED',
  'ABORTED',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/**
 * How what was asked for ended without a clear yes. `failed`: it was not done. `unknown`: sent without a clear
 * answer, it may have been done. `skipped`: the model lacks it. `expired`: its time was over before it was sent. `superseded`: a later message
 * ended it before it was begun.
 */
export type FailedOutcome = 'failed' | 'unknown' | 'skipped' | 'expired' | 'superseded';

/** What is known of a failure beside its code and its sentence. */
export interface ErrorDetails {
  /** Bytes of the request may have reached the device. */
  readonly sent?: boolean;
  readonly outcome?: FailedOutcome;
  /** How many requests were sent. */
  readonly attempts?: number;
  readonly statusCode?: number;
  /** From the first byte of the last request until it was given up, in milliseconds. */
  readonly wireMs?: number | undefined;
  /** What the device answered, where it could be read. */
  readonly response?: unknown;
  readonly cause?: unknown;
  /** The operation that the sentence names, for example `door/unlock`; absent when it names none. */
  readonly operationName?: string;
}

/** An error whose sentence knows what it is made of. */
export class LocalizedError extends Error {
  /** What a message throws may be a revoked proxy, which throws when it is asked what it is. */
  static override [Symbol.hasInstance](thrown: unknown): boolean {
    try {
      // biome-ignore lint/complexity/noThisInStatic: it is the class that is asked for, which may be one made of this
      return Function.prototype[Symbol.hasInstance].call(this, thrown);
    } catch {
      return false;
    }
  }

  readonly #said: Text;

  constructor(said: Text, options?: ErrorOptions) {
    super(String(said), options);
    this.#said = said;
  }

  /** Its message, to be said in other languages too. */
  get said(): Text {
    return this.#said;
  }
}

/** Raised for everything that keeps a request from a clear yes. Its message is a sentence without secrets. */
export class DeviceError extends LocalizedError {
  override readonly name = 'DeviceError';
  readonly code: ErrorCode;
  readonly sent: boolean;
  readonly outcome: FailedOutcome;
  readonly attempts: number;
  readonly statusCode?: number;
  readonly response?: unknown;
  readonly operationName?: string;
  /** From the first byte of the last request until it was given up, in milliseconds; absent when none was sent. */
  readonly wireMs?: number;

  constructor(code: ErrorCode, said: Text, details: ErrorDetails = {}) {
    super(said, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.sent = details.sent ?? false;
    this.outcome = details.outcome ?? 'failed';
    this.attempts = details.attempts ?? 0;
    if (details.statusCode !== undefined) this.statusCode = details.statusCode;
    if (details.wireMs !== undefined) this.wireMs = details.wireMs;
    if (details.operationName !== undefined) this.operationName = details.operationName;
    if (details.response !== undefined) this.response = details.response;
  }
}

/** Of what others throw no more characters than this are repeated. */
const maxThrownLength = 2_000;

/** What a thrown value says, to be said in other languages too where it is ours. Does not throw either. */
export function saidOf(thrown: unknown): Text {
  return thrown instanceof LocalizedError ? thrown.said : wordsOf(thrown);
}

/** What a thrown value says. It may be anything, and looking at it must not throw again. */
export function wordsOf(thrown: unknown): string {
  try {
    const words = thrown instanceof Error ? String(thrown.message) : String(thrown);
    return words.slice(0, maxThrownLength);
  } catch {
    return 'something that cannot be shown was thrown';
  }
}

/** The beginning of what a thrown value says, in one line: what a message brings may throw anything. */
export function brieflyOf(thrown: unknown): string {
  const words = wordsOf(thrown);
  return printable(words.length > maxFaultLength ? `${words.slice(0, maxFaultLength)}…` : words);
}

const maxFaultLength = 200;

/** Returns the line of the log for a defect of this package, with all words of the thrown value. */
export function describeFault(thrown: unknown): string {
  return `a fault in this package: ${wordsOf(thrown)}`;
}

/**
 * Returns the error of a message for a defect of this package: PROTOCOL, since no device is to blame.
 * @param place the node's resource, for example `door`
 */
export function faultError(thrown: unknown, place?: string): DeviceError {
  const where = place === undefined ? '' : `${place}: `;
  return new DeviceError('PROTOCOL', `${where}a fault in this package: ${brieflyOf(thrown)}`, {
    cause: thrown,
  });
}
