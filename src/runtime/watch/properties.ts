import {
  choice,
  isOn,
  listOf,
  number,
  orThrow,
  type PropertyValues,
  readProperties,
  seconds,
} from '../../kernel/property';
import { invalid } from '../message/invalid';
import { maxIntervalMs, minIntervalMs } from './pace';
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

const intervals = { least: minIntervalMs / 1_000, most: maxIntervalMs / 1_000 };

const readMisses = number({ least: 1, most: 1_000, empty: 3 });

/** Consecutive failed readings until a device counts as offline. */
export const misses: typeof readMisses = (value, name) => {
  const found = readMisses(value, name);
  return typeof found === 'number' ? Math.ceil(found) : found;
};

const readers = {
  misses,
  adaptive: isOn,
  initial: isOn,
  input: choice(['relay', 'relay1', 'relay2'], { empty: 'relay', isTrimmed: true }),
  edge: choice(['both', 'rising', 'falling'], { empty: 'both', isTrimmed: true }),
  debounce: number({ least: 0, most: 3_600_000, unit: 'numberOfMilliseconds', empty: 0 }),
  report: choice(['changes', 'every', 'fields'], { empty: 'changes', isTrimmed: true }),
  fields: listOf,
  ignore: listOf,
  counters: isOn,
  interval: seconds(intervals),
};

/** The properties of a watching node. The interval and the debounce time are in milliseconds. */
export type WatchSettings = PropertyValues<typeof readers>;

/**
 * @param interval default interval of the node, in seconds
 * @throws DeviceError INVALID_PARAMETER for an invalid property
 */
export function readWatch(properties: WatchProperties, interval: number): WatchSettings {
  const { ignore = volatileFields } = properties;
  const own = { ...readers, interval: seconds({ ...intervals, empty: interval }) };
  return orThrow(readProperties(own, { ...properties, ignore }), invalid);
}

/**
 * Returns the interval of a message, in milliseconds.
 * @throws DeviceError INVALID_PARAMETER for an invalid interval
 */
export function readInterval(interval: unknown): number {
  return orThrow(readers.interval(interval, 'msg.interval'), invalid);
}
