import { type OperationName, operation } from '../../catalogue/named';
import type { Operation } from '../../catalogue/operation';
import { isRecord } from '../../json';

/** A source of readings: an operation that is polled, and the check of its responses. */
export interface Source {
  readonly operation: Operation;
  /** The name in error messages, for example `info/status`. */
  readonly operationName: string;
  /**
   * Returns the error of an invalid response; undefined for a valid response. An invalid response counts as a
   * miss.
   */
  check(body: unknown): string | undefined;
}

/** @param check returns the error of an invalid response; undefined for a valid response */
export function sourceOf(operationName: OperationName, check: Source['check']): Source {
  return { operation: operation(operationName), operationName, check };
}

/** A response of a device. All watchers share the response, so it must not be changed or sent. */
export interface Reading {
  readonly body: unknown;
  /** Time of the response, in epoch milliseconds. */
  readonly at: number;
  /** Time of the response on a clock that never jumps, in milliseconds. */
  readonly monotonic: number;
}

/** Returns a deep copy of JSON. For records of texts it is several times as fast as `structuredClone`. */
export function copyOf<T>(json: T): T;
export function copyOf(json: unknown): unknown {
  if (typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json)) return json.map((value) => copyOf(value));
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, copyOf(value)]));
}

export function isJsonObject(body: unknown): body is Readonly<Record<string, unknown>> {
  return isRecord(body) && !Buffer.isBuffer(body);
}

/** Returns the value of a field in one line. Some firmware sends lists of texts (docs/field-notes.md, section 3). */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join('; ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
