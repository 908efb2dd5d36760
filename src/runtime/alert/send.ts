import { idOfStarted } from '../device/registry';
import type { ConcurrencyLimiter } from '../message/concurrency-limiter';
import type { Delivery } from '../message/delivery';
import { dispatchTo } from '../message/dispatch';
import { type Receipt, receiptOf, succeeded } from '../message/receipt';
import type { Alert, Named, SendResult } from './alert';
import type { Ticket } from './output-state';
import type { ActionReceipt } from './reports';

const impossible = ['INVALID_PARAMETER', 'NOT_SUPPORTED'];

/** HTTP status of a busy device. A retry might succeed, so the start does not count as refused. */
const unavailable = 503;

/** An alert in words. `name` is empty if nothing is known of the alert any more. */
export type NamedAlert = Pick<Alert, 'id' | 'name' | 'drill'>;

export const alertType = 'algo-alert';

export interface AlertSendOptions {
  readonly limiter?: ConcurrencyLimiter | undefined;
  readonly after?: Promise<unknown> | undefined;
  readonly track?: ((deliveries: readonly Delivery[]) => void) | undefined;
  readonly by?: string | undefined;
}

/**
 * Sends the pending command of a device output once, through an internal action node. The command thus has
 * the same checks, hooks, receipts and order as a message.
 */
export async function sendPending(
  ticket: Ticket,
  alert: NamedAlert,
  { limiter, after, track, by }: AlertSendOptions,
): Promise<Receipt> {
  const { output, kind, action, device } = ticket;
  const { operation, parameters } = kind === 'end' && action.end ? action.end : action;
  if (output.dryRun) {
    const unsent = { device: device.name, address: '', operationName: operation, latencyMs: 0, by };
    const dry = { outcome: 'dry-run', answer: undefined, notes: undefined, error: undefined } as const;
    return marked(receiptOf({ ...unsent, ...dry }), alert);
  }
  const { id, name } = alert;
  const { receipt } = await dispatchTo(
    device.name,
    {
      ...{ as: { id, name, type: alertType }, operation, parameters, by, limiter, after },
      device: idOf(ticket),
      properties: { duringAlert: true },
      // A retry is dropped if a start of another node waits or is under way at the device output.
      how: { yields: kind === 'again', isUrgent: !alert.drill, stopsForOlder: true },
    },
    track,
  );
  return marked(receipt, alert);
}

export function idOf({ device, output }: Pick<Ticket, 'device' | 'output'>): string {
  return idOfStarted({ ...device, where: output.device.where ?? device.where });
}

export function resultOf(
  receipt: Receipt,
  { kind, output, isBeforeStart = false }: Pick<Ticket, 'kind' | 'output' | 'isBeforeStart'>,
): SendResult {
  const { outcome, error } = receipt;
  // Dry run was turned on after the ticket was issued: nothing was sent, and a real start might still be on.
  if (outcome === 'dry-run' && !output.dryRun) return 'missed';
  if (succeeded(receipt)) return 'taken';
  // A model that does not support the operation has nothing to stop. A device that rejects the stop before a
  // further start has answered, so the start can follow.
  if (kind === 'end')
    return outcome === 'skipped' || (isBeforeStart && isRefusal(receipt)) ? 'taken' : 'missed';
  if (outcome === 'unknown') return 'unknown';
  if (outcome === 'skipped' || outcome === 'superseded') return 'skipped';
  if (!error) return 'missed';
  // During a deploy, the device of a retry can be missing for a short time. A later retry might then succeed.
  if (impossible.includes(error.code) || (error.code === 'NOT_CONFIGURED' && kind === 'start'))
    return 'impossible';
  return isRefusal(receipt) ? 'refused' : 'missed';
}

function isRefusal({ error, statusCode }: Receipt): boolean {
  return error?.code === 'REFUSED' && statusCode !== unavailable;
}

export function countedOf(
  { device, operation, outcome, error, latencyMs }: Receipt,
  target: Named,
  index?: number,
): ActionReceipt {
  const why = error && { code: error.code, reason: error.reason, message: error.message };
  return { target, operation, device, outcome, ...why, ...(index !== undefined && { index, latencyMs }) };
}

export function marked(receipt: Receipt, { drill }: Pick<Alert, 'drill'>): Receipt {
  return drill ? { ...receipt, drill: true } : receipt;
}
