import { printable } from '../catalogue/describe';
import { localized, type Text } from '../catalogue/localized-message';
import { type Fault, faultOf, limitReason, sentenceOf } from '../catalogue/sentence';
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
  /** The device that the error message names, for example with its address. */
  readonly place?: Text | undefined;
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
  /**
   * The short reason for people, with which the message begins: at most 100 characters, without the device, its
   * address, the operation and the code.
   */
  readonly reason: string;
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

  readonly #fault: Fault;
  readonly #place: Text | undefined;
  readonly #isWhole: boolean;

  /**
   * @param words the failure in words, without the operation and the device, which `details` has; or the whole
   * sentence of another error with its reason
   */
  constructor(code: ErrorCode, words: Text | Fault | Sentence, details: ErrorDetails = {}) {
    const { operationName: operation, place } = details;
    const isWhole = isSentence(words);
    const fault = masked(isWhole ? limitReason({ reason: words.reason, details: [] }) : asFault(words));
    const sentence = isWhole ? words.sentence : sentenceOf(fault, { operation, place });
    super(sentence, details.cause === undefined ? undefined : { cause: details.cause });
    this.#fault = fault;
    this.#place = place;
    this.#isWhole = isWhole;
    this.code = code;
    this.reason = String(fault.reason);
    this.sent = details.sent ?? false;
    this.outcome = details.outcome ?? 'failed';
    this.attempts = details.attempts ?? 0;
    if (details.statusCode !== undefined) this.statusCode = details.statusCode;
    if (details.wireMs !== undefined) this.wireMs = details.wireMs;
    if (details.operationName !== undefined) this.operationName = details.operationName;
    if (details.response !== undefined) this.response = details.response;
  }

  /** Returns the message for the receipt of an operation, which the message then names. */
  sentenceFor(operation: string): Text {
    if (this.#isWhole || this.operationName !== undefined) return this.localizedMessage;
    return sentenceOf(this.#fault, { operation, place: this.#place });
  }

  /** The reason and the details of the failure, for an error that adds to this error. */
  get fault(): Fault {
    return this.#fault;
  }

  /** The device that the message names; undefined if the message names none. */
  get place(): Text | undefined {
    return this.#place;
  }
}

/** The sentence of an error that was made elsewhere, and the reason with which the sentence begins. */
export interface Sentence {
  readonly reason: Text;
  readonly sentence: Text;
}

function isSentence(words: Text | Fault | Sentence): words is Sentence {
  return typeof words === 'object' && 'sentence' in words;
}

function asFault(words: Text | Fault): Fault {
  return typeof words === 'object' && 'details' in words ? limitReason(words) : faultOf(words);
}

function masked({ reason, details }: Fault): Fault {
  return { reason: maskSentence(reason), details: details.map(maskSentence) };
}

const maxThrownLength = 2_000;

/** Returns the message of a thrown value; localized for a `LocalizedError`. Never throws. */
export function messageOf(thrown: unknown): Text {
  return thrown instanceof LocalizedError ? thrown.localizedMessage : wordsOf(thrown);
}

/** Returns the short reason of a `DeviceError`, and the message of any other thrown value. Never throws. */
export function reasonOf(thrown: unknown): Text {
  return thrown instanceof DeviceError ? thrown.fault.reason : messageOf(thrown);
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
 * Returns a `DeviceError` unchanged. Any other exception is a defect of this package: its error has the code
 * PROTOCOL, since no other code fits.
 * @param place the node's resource, for example `door`
 */
export function asDeviceError(thrown: unknown, place?: string): DeviceError {
  if (thrown instanceof DeviceError) return thrown;
  return new DeviceError('PROTOCOL', localized('fault', { words: brieflyOf(thrown) }), {
    place,
    cause: thrown,
  });
}
