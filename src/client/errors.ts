import { printable } from '../catalogue/describe';
import type { Text } from '../catalogue/localized-message';
import { maskSentence } from './secrets';

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
 * The outcome of a request that did not clearly succeed. `failed`: the request was not carried out.
 * `unknown`: the request was sent, and the device might have carried out the request. `skipped`: the model
 * does not support the command. `expired`: the request was not sent in time. `superseded`: a later message
 * stopped or started the device output before the request was sent.
 */
export type FailedOutcome = 'failed' | 'unknown' | 'skipped' | 'expired' | 'superseded';

export interface ErrorDetails {
  /** Whether bytes of the request might have reached the device. */
  readonly sent?: boolean;
  readonly outcome?: FailedOutcome;
  readonly attempts?: number;
  readonly statusCode?: number;
  readonly wireMs?: number | undefined;
  readonly response?: unknown;
  readonly cause?: unknown;
  /**
   * The operation that the error message names, for example `door/unlock`; absent if the message names none.
   */
  readonly operationName?: string;
}

export class LocalizedError extends Error {
  /** Like `instanceof`, but returns false where `instanceof` throws, for example for a revoked proxy. */
  static override [Symbol.hasInstance](thrown: unknown): boolean {
    try {
      // biome-ignore lint/complexity/noThisInStatic: `this` is the class after `instanceof`, also a subclass
      return Function.prototype[Symbol.hasInstance].call(this, thrown);
    } catch {
      return false;
    }
  }

  readonly #localizedMessage: Text;

  /** The error has no stack: its message says what is wrong, and a stack costs more than all the rest. */
  constructor(localizedMessage: Text, options?: ErrorOptions) {
    const shown = maskSentence(localizedMessage);
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(String(shown), options);
    Error.stackTraceLimit = stackTraceLimit;
    this.#localizedMessage = shown;
  }

  /** The message as key and values, for translation; a plain string if the message has no translations. */
  get localizedMessage(): Text {
    return this.#localizedMessage;
  }
}

/**
 * The error of a call that did not clearly succeed, or of invalid settings. The message contains no secrets.
 */
export class DeviceError extends LocalizedError {
  override readonly name = 'DeviceError';
  readonly code: ErrorCode;
  readonly sent: boolean;
  readonly outcome: FailedOutcome;
  readonly attempts: number;
  readonly statusCode?: number;
  readonly response?: unknown;
  readonly operationName?: string;
  /**
   * Time from the first byte of the last request to the end of its answer, or until the client gave up, in
   * milliseconds; absent if no request was sent.
   */
  readonly wireMs?: number;

  constructor(code: ErrorCode, localizedMessage: Text, details: ErrorDetails = {}) {
    super(localizedMessage, details.cause === undefined ? undefined : { cause: details.cause });
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

const maxThrownLength = 2_000;

/** Returns the message of a thrown value; localized for a `LocalizedError`. Never throws. */
export function messageOf(thrown: unknown): Text {
  return thrown instanceof LocalizedError ? thrown.localizedMessage : wordsOf(thrown);
}

/**
 * Returns the message of any thrown value, cut to `maxThrownLength` characters. Never throws, even if reading
 * the value throws.
 */
export function wordsOf(thrown: unknown): string {
  try {
    const words = thrown instanceof Error ? String(thrown.message) : String(thrown);
    return words.slice(0, maxThrownLength);
  } catch {
    return 'an unknown error was thrown';
  }
}

/** Returns the first 200 characters of a thrown value's message, in one line. */
export function brieflyOf(thrown: unknown): string {
  const words = wordsOf(thrown);
  return printable(words.length > maxFaultLength ? `${words.slice(0, maxFaultLength)}…` : words);
}

const maxFaultLength = 200;

export function describeFault(thrown: unknown): string {
  return `a fault in this package: ${wordsOf(thrown)}`;
}

/**
 * Returns the error for a defect of this package. The code is PROTOCOL, since no other code fits.
 * @param place the node's resource, for example `door`
 */
export function faultError(thrown: unknown, place?: string): DeviceError {
  const where = place === undefined ? '' : `${place}: `;
  return new DeviceError('PROTOCOL', `${where}a fault in this package: ${brieflyOf(thrown)}`, {
    cause: thrown,
  });
}
