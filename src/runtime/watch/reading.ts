import type { Operation } from '../../catalogue/operation';

/** What is read again and again: an operation, and what its answer must look like. */
export interface Source {
  readonly operation: Operation;
  /** For sentences, for example `info/status`. */
  readonly deed: string;
  /** What is wrong with an answer, or nothing: what cannot be used counts as no answer. */
  check(body: unknown): string | undefined;
}

/** One answer of the device. It is shared by all who watch: never changed, never sent as it is. */
export interface Reading {
  readonly body: unknown;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Milliseconds of a clock that never jumps. */
  readonly monotonic: number;
}

/** Whether an answer is a JSON object. */
export function isRecord(body: unknown): body is Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null && !Array.isArray(body) && !Buffer.isBuffer(body);
}
