import type { NodeAPI } from 'node-red';
import { localized } from '../../catalogue/localized-message';
import { DeviceError } from '../../client/errors';
import type { PendingCommand } from '../answers';
import { onSettled } from '../device/registry';
import { PerNodeRed } from '../per-node-red';
import type { DeliveryOptions } from './command';
import type { Delivery } from './delivery';
import type { Outcome, Receipt, Result } from './receipt';
import { deliver } from './steps';

type Rolling = NonNullable<DeliveryOptions['rolling']>;

/** The deliveries of each rolling message that have not ended. */
const rollings = new PerNodeRed<Set<ReadonlySet<Delivery>>>(() => new Set());

/** Returns the operations of rolling messages that devices wait for, or that are under way. */
export function pendingRollings(RED: NodeAPI): { deviceId: string; pending: PendingCommand }[] {
  const deliveries = [...(rollings.existing(RED) ?? [])].flatMap((rolling) => [...rolling]);
  return deliveries.flatMap(({ device, command, operationName, isBegun }) => {
    const { name, id } = command.action.node;
    const pending = { operation: operationName, by: name || id, waitsFor: isBegun ? 'end' : 'turn' } as const;
    return device ? [{ deviceId: device.id, pending }] : [];
  });
}

const failures: readonly Outcome[] = ['failed', 'unknown', 'expired'];

/**
 * Takes deliveries to their targets in their order, a limited number at a time (docs/contract.md 2.5, *Rolling*). After
 * more than `maxFailures` failures, no further delivery is begun.
 * @param reportOf returns the function that gets the receipt of a delivery
 * @returns the receipts, in the order of the deliveries
 */
export async function roll(
  RED: NodeAPI,
  deliveries: readonly Delivery[],
  { size, maxFailures }: Rolling,
  reportOf: (index: number) => (receipt: Receipt) => void,
): Promise<Result> {
  const atOnce = 'count' in size ? size.count : Math.ceil((deliveries.length * size.percent) / 100);
  const pending = new Set(deliveries);
  const receipts: Receipt[] = [];
  const waiting = deliveries.entries();
  let failed = 0;
  let first: Receipt | undefined;
  const carryOut = async () => {
    for (const [index, delivery] of waiting) {
      delivery.endIfSuperseded();
      // A delivery that was aborted while it waited says so itself.
      const isTried = failed <= maxFailures || delivery.abort.reason !== undefined;
      if (isTried) delivery.begin();
      const receipt = isTried
        ? await deliver(delivery, reportOf(index))
        : notTried(delivery, first, reportOf(index));
      receipts[index] = receipt;
      pending.delete(delivery);
      if (!isTried || !failures.includes(receipt.outcome)) continue;
      failed += 1;
      first ??= receipt;
    }
  };
  const known = rollings.of(RED).add(pending);
  const unfollow = onSettled(RED, () => {
    for (const delivery of pending) delivery.follow();
  });
  try {
    await Promise.all(Array.from({ length: Math.min(atOnce, deliveries.length) }, carryOut));
  } finally {
    unfollow();
    known.delete(pending);
  }
  return { receipts, failedFirst: first };
}

function notTried(
  delivery: Delivery,
  failed: Receipt | undefined,
  report: (receipt: Receipt) => void,
): Receipt {
  const reason = localized('notTried', { device: (failed?.device ?? '').slice(0, 80) });
  delivery.withdraw();
  const { operationName, addressee } = delivery;
  const place = `"${addressee.device}"`;
  const receipt = delivery.receipt(
    new DeviceError('ABORTED', reason, { operationName, place, outcome: 'skipped' }),
  );
  report(receipt);
  return receipt;
}
