import { httpStatus } from '../choices';
import type { SignatureReport } from './signature';

/** The answer to a request; without `json` and `content`, the answer has no body. */
export interface Answer {
  readonly status: number;
  readonly json?: unknown;
  readonly content?: { readonly type: string; readonly data: Buffer };
  readonly reason?: string;
  /** The explanation of a rejected signature, for the log. */
  readonly signature?: SignatureReport;
  readonly afterwards?: 'reboot' | 'reload';
}

/** The "No body" of section 4: success without content. */
export const done: Answer = { status: httpStatus.success };

export function answer(json: unknown): Answer {
  return { status: httpStatus.success, json };
}

export function refuse(reason: string, status: number = httpStatus.badRequest): Answer {
  return { status, json: { error: reason }, reason };
}
