import type { Operation } from '../../catalogue/operation';
import { type OperationName, operation } from '../../catalogue/operation-name';
import { isRecord } from '../../json';

export interface Source {
  readonly operation: Operation;
  readonly operationName: string;
  /** Returns why a response is invalid; undefined for a valid response. */
  check(body: unknown): string | undefined;
}

export function sourceOf(operationName: OperationName, check: Source['check']): Source {
  return { operation: operation(operationName), operationName, check };
}

/**
 * A response of a device. All watchers share the response, so no watcher may change `body` or send it to a
 * flow.
 */
export interface Reading {
  readonly body: unknown;
  /** Time of the response, in epoch milliseconds. */
  readonly at: number;
  /** Time of the response in milliseconds on the monotonic clock. */
  readonly monotonic: number;
}

/** Returns a deep copy of JSON. For records of texts, several times faster than `structuredClone`. */
export function copyOf<T>(json: T): T;
export function copyOf(json: unknown): unknown {
  if (typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json)) return json.map((value) => copyOf(value));
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, copyOf(value)]));
}

export function isJsonObject(body: unknown): body is Readonly<Record<string, unknown>> {
  return isRecord(body) && !Buffer.isBuffer(body);
}

/**
 * Returns the value of a field as text. Some firmware sends lists of texts (docs/field-notes.md, section 3).
 */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join('; ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
