import { localized } from '../../catalogue/localized-message';
import type { Operation } from '../../catalogue/operation';
import { isOn, PropertyFinding, readProperties, seconds } from '../../kernel/property';

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
  readonly ttlMs?: number | undefined;
  readonly retryForMs: number;
  readonly yields?: boolean;
  /** Whether the request is urgent, whatever its operation. */
  readonly isUrgent?: boolean;
  /** Time from the start to the auto-stop; absent if there is no auto-stop. */
  readonly endAfterMs?: number | undefined;
}

export const noDeliveryOptions: DeliveryOptions = { split: false, retryForMs: 0 };

/** The default retry time of stops and urgent operations. Other operations are not retried by default. */
const defaultRetryMs = 10_000;

const maxSeconds = 31_536_000;

const ofNode = { least: 0, most: maxSeconds, empty: undefined };

const readTtl = seconds(ofNode);

const readGivenTtl = seconds({ least: 0, most: maxSeconds });

const readers = {
  retryFor: seconds(ofNode),
  endAfter: seconds({ above: 0, most: maxSeconds, empty: undefined }),
  split: isOn,
};

type Read<T> = T | PropertyFinding;

interface LastRead {
  readonly operation: Operation;
  readonly withoutTtl: Read<DeliveryOptions>;
  /** The options with the `ttl` of the node. */
  readonly options: Read<DeliveryOptions>;
}

/** Cache: the last options of a node. */
const lastRead = new WeakMap<DeliveryProperties, LastRead>();

/**
 * @param properties the key of a cache, so the properties must not be changed
 * @param ttl time until the expiry in the message, in seconds
 */
export function readDeliveryOptions(
  properties: DeliveryProperties,
  ttl: unknown,
  operation: Operation,
): Read<DeliveryOptions> {
  let last = lastRead.get(properties);
  if (last?.operation !== operation) {
    const withoutTtl = readWithoutTtl(properties, operation);
    last = { operation, withoutTtl, options: addTtl(withoutTtl, readTtl(properties.ttl, 'ttl')) };
    lastRead.set(properties, last);
  }
  if (ttl === undefined || ttl === '') return last.options;
  return addTtl(last.withoutTtl, readGivenTtl(ttl, 'msg.ttl'));
}

function readWithoutTtl(properties: DeliveryProperties, operation: Operation): Read<DeliveryOptions> {
  const read = readProperties(readers, properties);
  if (read instanceof PropertyFinding) return read;
  const { retryFor, endAfter, split } = read;
  if (endAfter !== undefined && operation.autoStop === undefined)
    return new PropertyFinding('endAfter', localized('nothingEnds', { operation: operation.id }));
  const isStop = operation.urgent || operation.isStop === true;
  return { split, retryForMs: retryFor ?? (isStop ? defaultRetryMs : 0), endAfterMs: endAfter };
}

function addTtl(options: Read<DeliveryOptions>, ttl: Read<number | undefined>): Read<DeliveryOptions> {
  if (ttl instanceof PropertyFinding) return ttl;
  if (options instanceof PropertyFinding) return options;
  const { split, retryForMs, endAfterMs } = options;
  return { split, retryForMs, endAfterMs, ttlMs: ttl === 0 ? Number.POSITIVE_INFINITY : ttl };
}
