import { show } from '../../catalogue/describe';
import { type LocalizedMessage, localized } from '../../catalogue/localized-message';
import type { Operation } from '../../catalogue/operation';
import { isOn } from '../../kernel/property';

/** The stored delivery settings of a node (docs/contract.md 2.5), after Node-RED has replaced `${ENV}`. */
export interface DeliveryProperties {
  readonly split?: unknown;
  readonly ttl?: unknown;
  readonly retryFor?: unknown;
  readonly endAfter?: unknown;
}

export interface DeliveryOptions {
  readonly split: boolean;
  /**
   * Time from the arrival to the expiry of the message, infinite for never; absent for the default of the
   * operation.
   */
  readonly ttlMs?: number;
  readonly retryForMs: number;
  readonly yields?: boolean;
  /** Whether the request is urgent, whatever its operation. */
  readonly isUrgent?: boolean;
  /** Time from the start to the auto-stop; absent if there is no auto-stop. */
  readonly endAfterMs?: number;
}

export const noDeliveryOptions: DeliveryOptions = { split: false, retryForMs: 0 };

/**
 * The default retry time of stops and urgent operations, in seconds. Other operations are not retried by
 * default.
 */
const defaultRetrySeconds = 10;

const maxSeconds = 31_536_000;

interface LastRead {
  readonly operation: Operation;
  readonly options: DeliveryOptions | LocalizedMessage;
}

/** Cache: the last options of a node, for messages without `ttl`. */
const lastRead = new WeakMap<DeliveryProperties, LastRead>();

/**
 * @param properties the key of a cache, so the properties must not be changed
 * @param ttl time until the expiry in the message, in seconds
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

/**
 * Parses a number of seconds, or a text with such a number. Returns undefined if the value is empty, `wrong`
 * if the value is invalid.
 */
function secondsIn(value: unknown): number | undefined | 'wrong' {
  if (value === undefined || value === '') return undefined;
  const text = typeof value === 'string' ? value.trim() : value;
  if (text === '' || (typeof text !== 'string' && typeof text !== 'number')) return 'wrong';
  const seconds = Number(text);
  return seconds >= 0 && seconds <= maxSeconds ? seconds : 'wrong';
}
