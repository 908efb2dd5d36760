import { wordsOf } from '../../client/errors';
import { findTargets } from '../device/targets';
import { type ActionMessage, type ActionNode, Command } from './command';
import { ConcurrencyLimiter } from './concurrency-limiter';
import { Delivery } from './delivery';
import type { Receipt, Result } from './receipt';
import { deliver } from './steps';

export interface TargetResult {
  readonly index: number;
  readonly receipt: Receipt;
  readonly delivery: Delivery;
}

export interface Circumstances {
  /** Called when the delivery to a target has ended, but not before `fanOut` has returned. */
  readonly onTargetEnd?: ((targetResult: TargetResult) => void) | undefined;
  /**
   * A limiter to share with other messages. By default, a message with more targets than its `maxParallel`
   * gets its own limiter.
   */
  readonly limiter?: ConcurrencyLimiter | undefined;
  /** A promise to await before sending. The deliveries take their queue entries without waiting. */
  readonly after?: Promise<unknown> | undefined;
  readonly since?: number | undefined;
}

export interface DispatchedMessage {
  readonly command: Command;
  readonly deliveries: readonly Delivery[];
  /** Never rejects: the receipts contain all errors. */
  readonly result: Promise<Result>;
}

/**
 * Starts the delivery of a message to its targets in parallel, so that an offline device does not delay other
 * devices. If the operation is known, the message has a queue entry at each open device when the function
 * returns.
 */
export function fanOut(
  action: ActionNode,
  message: ActionMessage,
  { onTargetEnd, limiter: wider, after, since }: Circumstances = {},
): DispatchedMessage {
  const command = new Command(action, message, since);
  const { list, single, maxParallel } = findTargets(action.properties, message);
  const limiter = wider ?? (list.length > maxParallel ? new ConcurrencyLimiter(maxParallel) : undefined);
  const deliveries = list.map((target) => new Delivery(command, target, limiter));
  return { command, deliveries, result: finish(command, deliveries, single, { onTargetEnd, after }) };
}

async function finish(
  command: Command,
  deliveries: readonly Delivery[],
  isSingle: boolean,
  { onTargetEnd, after }: Pick<Circumstances, 'onTargetEnd' | 'after'>,
): Promise<Result> {
  const reading = command.read(deliveries.every(({ device }) => device?.letDeviceDecide === true));
  if (reading || after) {
    for (const delivery of deliveries) delivery.announce();
    await Promise.all([reading, after]);
  }
  const receiptsToCome = deliveries.map((delivery, index) =>
    deliver(delivery, (receipt) => notify(command.action, { index, receipt, delivery }, onTargetEnd)),
  );
  const receipts = await Promise.all(receiptsToCome);
  const payload = isSingle ? deliveries[0]?.payload : undefined;
  return payload === undefined ? { receipts } : { receipts, payload };
}

function notify(
  { node, RED }: ActionNode,
  targetResult: TargetResult,
  onTargetEnd?: (targetResult: TargetResult) => void,
): void {
  try {
    onTargetEnd?.(targetResult);
  } catch (fault) {
    RED.log.error(`[${node.type}:${node.name || node.id}] ${wordsOf(fault)}`);
  }
}
