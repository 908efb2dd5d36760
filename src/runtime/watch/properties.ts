import { show } from '../../catalogue/describe';
import { joinMessages } from '../../catalogue/localized-message';
import { DeviceError } from '../../client/errors';
import { isOn, isUnresolved } from '../../kernel/property';
import type { Edge } from './edges';
import { maxIntervalMs, minIntervalMs } from './pace';
import type { Input } from './relay-input';
import { volatileFields } from './status-fields';

/**
 * The stored properties of a watching node, after Node-RED has replaced `${ENV}`. Each value can have any
 * type.
 */
export interface WatchProperties {
  /** `group` for a group; any other value for a device. */
  readonly target?: unknown;
  readonly device?: unknown;
  readonly group?: unknown;
  /** Interval in seconds. */
  readonly interval?: unknown;
  readonly adaptive?: unknown;
  readonly misses?: unknown;
  readonly initial?: unknown;
  readonly input?: unknown;
  readonly edge?: unknown;
  /** Debounce time in milliseconds. */
  readonly debounce?: unknown;
  readonly report?: unknown;
  readonly fields?: unknown;
  readonly ignore?: unknown;
  readonly counters?: unknown;
}

export function intervalMsOf(what: string, value: unknown): number {
  return numberOf(what, value, minIntervalMs / 1000, maxIntervalMs / 1000, ' seconds') * 1000;
}

/**
 * Parses a number in a property or a message. Both limits are included.
 * @param what name of the value in error messages
 * @throws DeviceError INVALID_PARAMETER if the value is not a number within the limits
 */
export function numberOf(what: string, value: unknown, low: number, high: number, unit = ''): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && number >= low && number <= high) return number;
  const got = isUnresolved(value) ? `${value}, and that environment variable is not set` : show(value);
  const reason = `${what} must be from ${low} to ${high}${unit}`;
  throw new DeviceError('INVALID_PARAMETER', joinMessages([reason, `it is ${got}`]));
}

/**
 * Returns the word in a property; the first of the allowed words if the property is empty.
 * @param what name of the value in error messages
 * @throws DeviceError INVALID_PARAMETER if the word is not allowed
 */
export function wordOf<T extends string>(what: string, value: unknown, words: readonly [T, ...T[]]): T {
  const text = String(value ?? '').trim();
  const word = text === '' ? words[0] : words.find((one) => one === text);
  if (word) return word;
  const reason = `${what} must be one of ${words.join(', ')}`;
  throw new DeviceError('INVALID_PARAMETER', joinMessages([reason, `it is ${text}`]));
}

export function inputOf({ input }: WatchProperties): Input {
  return wordOf('input', input, ['relay', 'relay1', 'relay2']);
}

export function edgeOf({ edge }: WatchProperties): Edge {
  return wordOf('edge', edge, ['both', 'rising', 'falling']);
}

export function reportOf({ report }: WatchProperties): 'changes' | 'every' | 'fields' {
  return wordOf('report', report, ['changes', 'every', 'fields']);
}

export function debounceMsOf({ debounce }: WatchProperties): number {
  return isEmpty(debounce) ? 0 : numberOf('debounce', debounce, 0, 3_600_000, ' milliseconds');
}

export function isInitialWanted({ initial }: WatchProperties): boolean {
  return isOn(initial);
}

export function fieldChoiceOf({ fields, ignore, counters }: WatchProperties) {
  const ignored = ignore === undefined ? volatileFields : namesIn(ignore);
  return { watched: namesIn(fields), ignored, counters: isOn(counters) };
}

function namesIn(value: unknown): string[] {
  const list = Array.isArray(value) ? value : String(value ?? '').split(',');
  return list.map((name) => String(name).trim()).filter((name) => name !== '');
}

export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
