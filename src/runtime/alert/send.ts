import { DeviceError } from '../../client/errors';
import { autoStopScheduler } from '../auto-stop/auto-stops';
import { deviceById, foundAgain } from '../device/registry';
import type { ConcurrencyLimiter } from '../message/concurrency-limiter';
import type { Delivery } from '../message/delivery';
import { fanOut } from '../message/fan-out';
import { kindOf, madeUp } from '../message/kinds';
import { type Receipt, receiptOf, succeeded } from '../message/receipt';
import type { Alert, SendResult } from './alert';
import type { Ticket } from './output-state';

/** What can be no other next time. */
const impossible = ['INVALID_PARAMETER', 'NOT_SUPPORTED'];

/** The device says it is busy, not that it will not. */
const unavailable = 503;

export const alertType = 'algo-alert';

/** How something is sent. */
export interface Way {
  /** Those that are spoken to at once. */
  readonly limiter?: ConcurrencyLimiter | undefined;
  /** What has to be over before it is sent. */
  readonly after?: Promise<unknown> | undefined;
  /** Nobody sent a message for it: a start that waits goes before it, and it is asked for again. */
  readonly yields?: boolean;
  /** Told of what is on its way. */
  readonly track?: ((deliveries: readonly Delivery[]) => void) | undefined;
}

/**
 * Sends what is owed at a place, once, through an action node that nobody placed: with the checks, hooks, receipts and
 * order of every other message.
 */
export async function sendOwed(
  ticket: Ticket,
  alert: Alert,
  { limiter, after, track, yields = false }: Way,
): Promise<Receipt> {
  const { place, kind, action, device } = ticket;
  const { operation, parameters } = kind === 'end' && action.end ? action.end : action;
  const refused = {
    device: device.name,
    address: '',
    operationName: operation,
    latencyMs: 0,
    answer: undefined,
    notes: undefined,
  };
  // Nothing was sent to start it, and nothing is sent to end it.
  if (place.dryRun) return marked(receiptOf({ ...refused, outcome: 'dry-run', error: undefined }), alert);
  // Ends are urgent, each of them, so they keep their order at a device.
  const known = kindOf(operation);
  if (!known) {
    const error = new DeviceError('NOT_CONFIGURED', `there is no node for ${operation} to send it`);
    return marked(receiptOf({ ...refused, outcome: 'accepted', error }), alert);
  }
  const { id, name } = alert;
  const properties = {
    device: idOf(ticket),
    parametersType: 'msg',
    parameters: 'payload',
    retryFor: 0,
    ttl: 0,
  };
  const actionNode = madeUp(
    known,
    { id, name, type: alertType },
    operation,
    properties,
    autoStopScheduler(known.RED),
  );
  const { deliveries, result } = fanOut(
    { ...actionNode, yields: yields && kind !== 'return' },
    { _msgid: '', payload: parameters },
    { limiter, after },
  );
  track?.(deliveries);
  const [receipt] = (await result).receipts;
  // A deploy or a restart forgets who a device is. What it refuses may have been said in another firmware's way, so
  // the next time somebody has to know.
  if (known.hooks.adapt && receipt?.error?.code === 'REFUSED') deviceById(properties.device)?.identity();
  return marked(receipt ?? receiptOf({ ...refused, outcome: 'accepted', error: undefined }), alert);
}

/** Of the device, or of what is in its place since a deploy. */
export function idOf({ device: { id, where }, place }: Pick<Ticket, 'device' | 'place'>): string {
  return foundAgain({ id, where: place.device.where ?? where })?.id ?? id;
}

/** What a receipt says of a request. */
export function cameOf(receipt: Receipt, { kind, place }: Pick<Ticket, 'kind' | 'place'>): SendResult {
  const { outcome, error, statusCode } = receipt;
  // Dry run was switched on after the start: the device still has the real start on.
  if (outcome === 'dry-run' && !place.dryRun) return 'missed';
  if (succeeded(receipt)) return 'taken';
  // A model that lacks it has nothing on.
  if (kind === 'end') return outcome === 'skipped' ? 'taken' : 'missed';
  if (outcome === 'unknown') return 'unknown';
  if (outcome === 'skipped' || (outcome === 'superseded' && kind !== 'return')) return 'skipped';
  if (!error) return 'missed';
  // What is tried again may meet a deploy, where its device is not there for a moment.
  if (impossible.includes(error.code) || (error.code === 'NOT_CONFIGURED' && kind === 'start'))
    return 'impossible';
  return error.code === 'REFUSED' && statusCode !== unavailable ? 'refused' : 'missed';
}

/** On every receipt of a drill. */
export function marked(receipt: Receipt, { drill }: Pick<Alert, 'drill'>): Receipt {
  return drill ? { ...receipt, drill: true } : receipt;
}
