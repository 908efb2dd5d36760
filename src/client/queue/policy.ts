import type { Operation } from '../../catalogue/operation';
import type { QueuePolicy } from './entry';

/** What an operation starts or ends. Of one family are those that differ in a parameter only, as doors do. */
export interface DeviceOutput {
  readonly family: string;
  readonly name: string;
}

/** What opens, sounds, shows, switches or calls is not sent later than this after its message, in milliseconds. */
const defaultTtlMs = 60_000;

export interface QueueOptions {
  /** In milliseconds. */
  readonly ttlMs?: number;
  readonly yields?: boolean;
  readonly isReading?: boolean;
}

type Ordered = Pick<Operation, 'urgent' | 'deviceOutput' | 'isStop' | 'inOrderOf'>;

/**
 * What the order of an operation depends on, beside its subject.
 * @param since when its message came, of the monotonic clock
 * @param options how much later it may be sent, where somebody says so, infinite for any time; whether it is an end
 * that nobody sent a message for; and whether it is a reading, which waits behind messages and counts as none
 */
export function queuePolicyFor(
  { urgent, deviceOutput, isStop }: Ordered,
  since: number,
  { ttlMs, yields = false, isReading }: QueueOptions = {},
): QueuePolicy {
  const operationTtlMs = deviceOutput !== undefined && !isStop ? defaultTtlMs : Number.POSITIVE_INFINITY;
  const expiresAt = since + (ttlMs ?? operationTtlMs);
  const rank = urgent ? 'urgent' : 'ordinary';
  return { rank: isReading ? 'reading' : rank, ends: isStop === true, yields, expiresAt };
}

/** What an operation starts or ends with these parameters, or is in order of; undefined when there is no such thing. */
export function deviceOutputFor(
  { deviceOutput, inOrderOf }: Ordered,
  parameters: Readonly<Record<string, unknown>>,
): DeviceOutput | undefined {
  if (!deviceOutput) return inOrderOf === undefined ? undefined : { family: inOrderOf, name: inOrderOf };
  const { name: family, by, when } = deviceOutput;
  const isOther = ([name, values]: [string, readonly string[]]) => !values.includes(String(parameters[name]));
  if (when && Object.entries(when).some(isOther)) return undefined;
  return { family, name: by === undefined ? family : `${family} ${String(parameters[by])}` };
}
