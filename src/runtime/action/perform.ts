import { Delivery } from './delivery';
import { type ActionMessage, type ActionNode, Dispatch } from './dispatch';
import { isEmpty, type Receipt } from './receipt';
import { findTargets } from './targets';

/** What became of a message: receipts in the targets' order, and the answer if it becomes the payload. */
export interface Result {
  readonly receipts: Receipt[];
  readonly payload?: unknown;
}

/** A message on its way to all its targets. */
export interface Performance {
  readonly dispatch: Dispatch;
  readonly deliveries: readonly Delivery[];
  /** Never rejects: what a target or a parameter did wrong is in the receipts. */
  readonly result: Promise<Result>;
}

/**
 * Begins what a message asks for, at all its targets at once; one that is dead delays no other. Before this
 * returns, the message has its place in the order of each device's calls.
 */
export function perform(action: ActionNode, message: ActionMessage): Performance {
  const dispatch = new Dispatch(action, message);
  const { list, single } = findTargets(action.properties, message);
  const deliveries = list.map((target) => new Delivery(dispatch, target));
  return { dispatch, deliveries, result: finish(dispatch, deliveries, single) };
}

async function finish(
  dispatch: Dispatch,
  deliveries: readonly Delivery[],
  isSingle: boolean,
): Promise<Result> {
  const reading = dispatch.read();
  if (reading) {
    for (const delivery of deliveries) delivery.announce();
    await reading;
  }
  const receipts = await Promise.all(deliveries.map((delivery) => delivery.end()));
  const payload = deliveries[0]?.answer?.body;
  const isShown = isSingle && !dispatch.fault && dispatch.operation?.answer !== 'none';
  return isShown && !isEmpty(payload) ? { receipts, payload } : { receipts };
}
