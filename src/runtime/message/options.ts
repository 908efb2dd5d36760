import { show } from '../../catalogue/describe';
import { type LocalizedMessage, localized } from '../../catalogue/localized-message';
import type { Operation } from '../../catalogue/operation';
import { isOn } from '../device/settings';

/** The stored delivery settings of a node (docs/contract.md 2.5), with `${ENV}` already replaced. */
export interface DeliveryProperties {
  readonly split?: unknown;
  readonly ttl?: unknown;
  readonly retryFor?: unknown;
  readonly endAfter?: unknown;
}

/** The delivery options of a message; times in milliseconds. */
export interface DeliveryOptions {
  /** One message per target instead of one for all. */
  readonly split: boolean;
  /** The time to live from the arrival on; absent: the default of the operation. */
  readonly ttlMs?: number;
  /** Time for retries of failed requests. */
  readonly retryForMs: number;
  /**
   * Whether the request comes from no message, so that a start for the same device output overrides the
   * request.
   */
  readonly yields?: boolean;
  /** The time until the auto-stop; absent: no auto-stop. */
  readonly endAfterMs?: number;
}

export const noDeliveryOptions: DeliveryOptions = { split: false, retryForMs: 0 };

/** The default retry time of stops and emergency starts, in seconds. */
const defaultRetrySeconds = 10;

/** One year, in seconds: the maximum of all times in delivery options. */
const maxSeconds = 31_536_000;

interface LastRead {
  readonly operation: Operation;
  readonly options: DeliveryOptions | LocalizedMessage;
}

/** Cache: the last options of a node's properties, for messages without a `ttl` of their own. */
const lastRead = new WeakMap<DeliveryProperties, LastRead>();

/**
 * Reads the delivery options of a message.
 * @param properties of the node; must not be changed, because the options are cached by this object
 * @param ttl of the message; overrides the node's
 * @returns the options, or a sentence that says which option is invalid
 */
export function readDeliveryOptions(
  properties: DeliveryProperties,
  ttl: unknown,
  operation: Operation,
): DeliveryOptions | LocalizedMessage {
  if (ttl !== undefined) return readOptions(properties, ttl, operation);
  const last = lastRead.get(properties);
  if (last?.operation === operation) return last.options;
  const options = readOptions(properties, ttl, operation);
  lastRead.set(properties, { operation, options });
  return options;
}

function readOptions(
  properties: DeliveryProperties,
  ttl: unknown,
  operation: Operation,
): DeliveryOptions | LocalizedMessage {
  const own = ttl === undefined || ttl === '' ? properties.ttl : ttl;
  const ttlSeconds = secondsIn(own === properties.ttl ? (own ?? '') : own);
  if (ttlSeconds === 'wrong') {
    const place = own === properties.ttl ? 'ttl' : 'msg.ttl';
    return localized('notSeconds', { name: place, most: String(maxSeconds), got: show(own) });
  }
  const retryFor = secondsIn(properties.retryFor ?? '');
  if (retryFor === 'wrong') {
    return localized('notSeconds', {
      name: 'retryFor',
      most: String(maxSeconds),
      got: show(properties.retryFor),
    });
  }
  const endAfter = secondsIn(properties.endAfter ?? '');
  if (endAfter === 'wrong' || endAfter === 0) {
    return localized('endAfterWrong', { most: String(maxSeconds), got: show(properties.endAfter) });
  }
  if (endAfter !== undefined && operation.autoStop === undefined) {
    return localized('nothingEnds', { operation: operation.id });
  }
  const isStop = operation.urgent || operation.isStop === true;
  return {
    split: isOn(properties.split),
    retryForMs: (retryFor ?? (isStop ? defaultRetrySeconds : 0)) * 1_000,
    ...(ttlSeconds !== undefined && {
      ttlMs: ttlSeconds === 0 ? Number.POSITIVE_INFINITY : ttlSeconds * 1_000,
    }),
    ...(endAfter !== undefined && { endAfterMs: endAfter * 1_000 }),
  };
}

/** Reads a number, or a text that holds a number; undefined if the value is empty. */
function secondsIn(value: unknown): number | undefined | 'wrong' {
  if (value === undefined || value === '') return undefined;
  const text = typeof value === 'string' ? value.trim() : value;
  if (text === '' || (typeof text !== 'string' && typeof text !== 'number')) return 'wrong';
  const seconds = Number(text);
  return seconds >= 0 && seconds <= maxSeconds ? seconds : 'wrong';
}
