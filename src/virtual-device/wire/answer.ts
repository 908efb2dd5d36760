import { httpStatus } from '../choices';
import type { SignatureReport } from './signature';

/** What goes back. Without content the answer has no body at all. */
export interface Answer {
  readonly status: number;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly content?: { readonly type: string; readonly data: Buffer };
  /** Why it was refused or failed, for the log. */
  readonly reason?: string;
  /** For the log, if it is read: why the signature was refused. */
  readonly signature?: () => SignatureReport;
  /** What happens once the answer has left. */
  readonly afterwards?: 'reboot' | 'reload';
}

/** "No body" (section 4): success that says nothing. */
export const done: Answer = { status: httpStatus.success };

/** A success with a JSON body. */
export function answer(json: unknown): Answer {
  return { status: httpStatus.success, json };
}

/** A refusal whose reason stands in the answer and in the log. */
export function refuse(reason: string, status: number = httpStatus.badRequest): Answer {
  return { status, json: { error: reason }, reason };
}
