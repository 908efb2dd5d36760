import { wordsOf } from '../../client/errors';
import { findTargets } from '../device/targets';
import { type ActionMessage, type ActionNode, Command } from './command';
import { ConcurrencyLimiter } from './concurrency-limiter';
import { Delivery } from './delivery';
import { type Receipt, type Result, withNote } from './receipt';
import { roll } from './rolling';
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
  const { rolling } = command.options;
  if (reading || after) {
    if (!rolling) for (const delivery of deliveries) delivery.announce();
    await Promise.all([reading, after]);
  }
  const report = (index: number) => (receipt: Receipt) => {
    const delivery = deliveries[index];
    if (delivery) notify(command.action, { index, receipt, delivery }, onTargetEnd);
  };
  const result: Result = rolling
    ? await roll(command.action.RED, deliveries, rolling, report)
    : { receipts: await Promise.all(deliveries.map((delivery, index) => deliver(delivery, report(index)))) };
  if (command.action.hooks.remark) remark(command, deliveries, result.receipts);
  const payload = isSingle ? deliveries[0]?.payload : undefined;
  return payload === undefined ? result : { ...result, payload };
}

/** Logs what the hook of the node has to say about all targets, and notes it on the first receipt. */
function remark({ action, options }: Command, deliveries: readonly Delivery[], receipts: Receipt[]): void {
  const { node, RED, hooks } = action;
  const words = hooks.remark?.(deliveries);
  if (words === undefined) return;
  RED.log.warn(`[${node.type}:${node.name || node.id}] ${words}`);
  const [first] = receipts;
  if (first && !options.split) receipts[0] = withNote(first, words);
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
