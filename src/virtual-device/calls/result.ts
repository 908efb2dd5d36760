/**
 * A call without a complete answer:
 *
 * - `not-sent`: the device must not send the call
 * - `unreachable`: the connection could not be established
 * - `timed-out`: sent, without a complete answer in time
 * - `invalid`: sent, and the answer is not HTTP
 * - `broken`: sent, and the connection ended before the end of the answer
 */
export type CallFailure = 'not-sent' | 'unreachable' | 'timed-out' | 'invalid' | 'broken';

export type CallOutcome = 'answered' | CallFailure;

/** The answer to a call. */
export interface CallAnswer {
  readonly status: number;
  readonly body: string;
  /** Whether the body was longer than the device reads. */
  readonly isCut: boolean;
}

/** The reason of a failed call. */
export class CallError extends Error {
  constructor(
    readonly outcome: CallFailure,
    reason: string,
  ) {
    super(reason);
  }
}

/** Creates the error of a call that must not be sent. */
export function refusal(reason: string): CallError {
  return new CallError('not-sent', reason);
}

/** The reason of a signal that ends all calls of a device. */
export const stopped = Symbol('stopped');

/** Returns the reason of an ended call: the device has stopped, or else the time is over. */
export function endWords(signal: AbortSignal, timeOver: string): string {
  return signal.reason === stopped ? 'the device has stopped' : timeOver;
}
