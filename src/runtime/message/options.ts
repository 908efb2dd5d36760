import { show } from '../../catalogue/describe';
import { type LocalizedMessage, localized } from '../../catalogue/localized-message';
import type { Operation } from '../../catalogue/operation';
import { isOn } from '../device/settings';

/** What a person wants of the delivery (docs/contract.md 2.5), as it is stored, `${ENV}` already replaced. */
export interface DeliveryProperties {
  readonly split?: unknown;
  readonly ttl?: unknown;
  readonly retryFor?: unknown;
  readonly endAfter?: unknown;
}

/** How a message is delivered, in milliseconds. */
export interface DeliveryOptions {
  /** One message per target instead of one for all. */
  readonly split: boolean;
  /** How much later than its arrival it may be sent; absent: as long as is usual for the operation. */
  readonly ttlMs?: number;
  /** How long what surely was not done is tried again. */
  readonly retryForMs: number;
  /** Nobody sent a message for it, so that a start of the same thing goes before it. */
  readonly yields?: boolean;
  /** When what is started is ended; absent: never. */
  readonly endAfterMs?: number;
}

export const noDeliveryOptions: DeliveryOptions = { split: false, retryForMs: 0 };

/** Every end, and emergency start, is tried again so long unless a person says otherwise, in seconds. */
const defaultRetrySeconds = 10;

/** As the device takes it or as Node-RED counts it: no more than a year, in seconds. */
const maxSeconds = 31_536_000;

interface LastRead {
  readonly operation: Operation;
  readonly options: DeliveryOptions | LocalizedMessage;
}

/** The options that were read last from a node's properties, for messages without a `ttl` of their own. */
const lastRead = new WeakMap<DeliveryProperties, LastRead>();

/**
 * Reads how a message is delivered.
 * @param properties of the node; they do not change
 * @param ttl the message's own: it wins
 * @returns the options, or a sentence that says what is wrong with them
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

/** A number or its text; undefined when there is none. */
function secondsIn(value: unknown): number | undefined | 'wrong' {
  if (value === undefined || value === '') return undefined;
  const text = typeof value === 'string' ? value.trim() : value;
  if (text === '' || (typeof text !== 'string' && typeof text !== 'number')) return 'wrong';
  const seconds = Number(text);
  return seconds >= 0 && seconds <= maxSeconds ? seconds : 'wrong';
}
