import { absolute, type Call, type ShownParts, shownPartsOf } from '../calls/call';
import { type CallAnswer, CallError, type CallOutcome } from '../calls/result';
import { printable } from './printable';

/** A call and its result, without headers, payload and answer. */
export interface CallEntry extends ShownParts {
  /** Device time in ISO 8601. */
  readonly at: string;
  /** Name of the scheduled event that caused the call; absent if a command caused the call. */
  readonly event?: string;
  readonly outcome: CallOutcome;
  /** Status of the answer. */
  readonly status?: number;
  /** Why there is no answer. */
  readonly reason?: string;
}

/**
 * @param event name of the scheduled event
 * @param now device time in epoch milliseconds
 */
export function callEntryOf(
  call: Call,
  event: string | undefined,
  result: CallAnswer | CallError,
  now: number,
): CallEntry {
  const { method, target, path } = shownPartsOf(call);
  return {
    at: new Date(now).toISOString(),
    ...(event === undefined ? {} : { event }),
    method,
    target: target.replace(/\/$/, ''),
    path: absolute(path),
    ...(result instanceof CallError
      ? { outcome: result.outcome, reason: result.message }
      : { outcome: 'answered', status: result.status }),
  };
}

export function callLineOf({ event, method, target, path, outcome, status, reason }: CallEntry): string {
  const cause = event === undefined ? '' : `for ${JSON.stringify(event)} `;
  const result = status ?? outcome.replaceAll('-', ' ');
  return printable(`call ${cause}${method} ${target}${path} -> ${result}${reason ? `: ${reason}` : ''}`);
}
