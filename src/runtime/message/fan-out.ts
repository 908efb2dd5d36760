import { wordsOf } from '../../client/errors';
import { findTargets } from '../device/targets';
import { type ActionMessage, type ActionNode, Command } from './command';
import { ConcurrencyLimiter } from './concurrency-limiter';
import { Delivery } from './delivery';
import type { Receipt, Result } from './receipt';

/** One target has ended. */
export interface TargetResult {
  /** In the targets' order, from 0. */
  readonly index: number;
  readonly receipt: Receipt;
  readonly delivery: Delivery;
}

/** What else has to do with a message. */
interface Circumstances {
  /** Told as each target ends, and never before `fanOut` has returned. */
  readonly onEnd?: ((end: TargetResult) => void) | undefined;
  /** Those of several messages that are spoken to at once, where these count together. */
  readonly limiter?: ConcurrencyLimiter | undefined;
  /** What has to be over before it is sent; its place in the order of each device's calls is kept meanwhile. */
  readonly after?: Promise<unknown> | undefined;
  /** When it came, of the monotonic clock, where that is not now. */
  readonly since?: number | undefined;
}

/** A message on its way to all its targets. */
interface DispatchedMessage {
  readonly command: Command;
  readonly deliveries: readonly Delivery[];
  /** Never rejects: what a target or a parameter did wrong is in the receipts. */
  readonly result: Promise<Result>;
}

/**
 * Begins what a message asks for, at all its targets at once; one that is dead delays no other. Before this
 * returns, the message has its place in the order of each device's calls.
 */
export function fanOut(
  action: ActionNode,
  message: ActionMessage,
  { onEnd, limiter: wider, after, since }: Circumstances = {},
): DispatchedMessage {
  const command = new Command(action, message, since);
  const { list, single, maxParallel } = findTargets(action.properties, message);
  const limiter = wider ?? (list.length > maxParallel ? new ConcurrencyLimiter(maxParallel) : undefined);
  const deliveries = list.map((target) => new Delivery(command, target, limiter));
  return { command, deliveries, result: finish(command, deliveries, single, { onEnd, after }) };
}

async function finish(
  command: Command,
  deliveries: readonly Delivery[],
  isSingle: boolean,
  { onEnd, after }: Pick<Circumstances, 'onEnd' | 'after'>,
): Promise<Result> {
  const reading = command.read();
  if (reading || after) {
    for (const delivery of deliveries) delivery.announce();
    await Promise.all([reading, after]);
  }
  const ends = deliveries.map((delivery, index) =>
    delivery.end((receipt) => tell(command.action, { index, receipt, delivery }, onEnd)),
  );
  const receipts = await Promise.all(ends);
  const payload = isSingle ? deliveries[0]?.payload : undefined;
  return payload === undefined ? { receipts } : { receipts, payload };
}

/** Whoever is told cannot keep a message from going on. */
function tell({ node, RED }: ActionNode, end: TargetResult, onEnd?: (end: TargetResult) => void): void {
  try {
    onEnd?.(end);
  } catch (fault) {
    RED.log.error(`[${node.type}:${node.name || node.id}] ${wordsOf(fault)}`);
  }
}
