export const callFailures = ['not-sent', 'unreachable', 'timed-out', 'invalid', 'broken'] as const;

/**
 * A call without a complete answer:
 * - `not-sent`: the device did not send the call
 * - `unreachable`: the connection could not be established
 * - `timed-out`: sent, without a complete answer in time
 * - `invalid`: sent, and the answer is not HTTP, or its headers are too large
 * - `broken`: sent, and the connection ended before the end of the answer
 */
export type CallFailure = (typeof callFailures)[number];

export type CallOutcome = 'answered' | CallFailure;

export interface CallAnswer {
  readonly status: number;
  /** The start of the body, up to `maxAnswerBytes`. */
  readonly body: string;
}

export class CallError extends Error {
  constructor(
    readonly outcome: CallFailure,
    reason: string,
    /** Whether the call has no answer because the device has stopped. */
    readonly isAborted = false,
  ) {
    super(reason);
  }
}

export function refusal(reason: string): CallError {
  return new CallError('not-sent', reason);
}

export function stoppedWith(outcome: CallFailure): CallError {
  return new CallError(outcome, 'the device has stopped', true);
}
