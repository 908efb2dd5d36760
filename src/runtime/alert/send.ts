import { localized } from '../../catalogue/localized-message';
import { asDeviceError, DeviceError } from '../../client/errors';
import { defaultMaxParallel } from '../device/group';
import { idOfStarted } from '../device/registry';
import { findTargets } from '../device/targets';
import type { Command } from '../message/command';
import { ConcurrencyLimiter } from '../message/concurrency-limiter';
import { Delivery } from '../message/delivery';
import { commandFor } from '../message/dispatch';
import { type Receipt, receiptOf } from '../message/receipt';
import { deliver } from '../message/steps';
import type { Alert, SendResult } from './alert';
import type { Ticket } from './output-state';
import { isAccepted, type ReportedReceipt } from './reports';

const impossible = ['INVALID_PARAMETER', 'NOT_SUPPORTED'];

/** HTTP status of a busy device. A retry might succeed, so the start does not count as refused. */
const unavailable = 503;

/** An alert in words. `name` is empty if nothing is known of the alert any more. */
export type AlertIdentity = Pick<Alert, 'id' | 'name' | 'drill'>;

export const alertType = 'algo-alert';

/**
 * Minimum number of actions that a start or a clear sends without a pause, so that a small alert takes effect in the
 * turn of its message.
 */
export const atLeastTogether = 50;

/**
 * Returns a limiter with the lowest of the limits; undefined if no limiter is needed. An undefined limit
 * means `defaultMaxParallel`.
 */
export function limiterFor(
  devices: readonly unknown[],
  limits: readonly (number | undefined)[],
): ConcurrencyLimiter | undefined {
  const maxParallel = Math.min(...limits.map((limit) => limit ?? defaultMaxParallel));
  return devices.length > maxParallel ? new ConcurrencyLimiter(maxParallel) : undefined;
}

export interface AlertSendOptions {
  readonly limiter?: ConcurrencyLimiter | undefined;
  readonly track?: ((delivery: Delivery) => void) | undefined;
  readonly by?: string | undefined;
  /**
   * Whether no message is the cause of the requests, only the time: a stop then gives way to a start of another node
   * that waits or is under way, as the retry of a start always does.
   */
  readonly isDue?: boolean | undefined;
}

/** A request that has its queue entry. Sends the request after `after`; never rejects. */
export type TakenRequest = (after?: Promise<unknown>) => Promise<Receipt>;

/**
 * Sends requests of the engine as messages of the alert's node would be sent, with the same checks, hooks, receipts
 * and order. All requests for the same operation share one command, since an alert can have thousands of devices.
 */
export class AlertSender {
  readonly #commands = new Map<
    string,
    { readonly command: Command; readonly reading: Promise<void> | undefined }
  >();

  constructor(private readonly options: AlertSendOptions) {}

  /** Takes the queue entry of a request. */
  take(ticket: Ticket, alert: AlertIdentity): TakenRequest {
    const { output, device } = ticket;
    const { operation, parameters } = commandOf(ticket);
    const { limiter, track, by, isDue } = this.options;
    const yields = ticket.kind === 'again' || (ticket.kind === 'end' && isDue === true);
    const unsent = { device: device.name, address: '', operationName: operation, latencyMs: 0, by };
    const unanswered = { ...unsent, answer: undefined, notes: undefined };
    const end = (more: Pick<Parameters<typeof receiptOf>[0], 'outcome' | 'error'>) => async () =>
      marked(receiptOf({ ...unanswered, ...more }), alert);
    if (output.dryRun) return end({ outcome: 'dry-run', error: undefined });
    try {
      const { command, reading } = this.#command(alert, yields, operation, parameters);
      const [target] = findTargets({ device: idOf(ticket) }, {}).list;
      if (!target) throw new DeviceError('NOT_CONFIGURED', localized('noDeviceChosen'));
      const delivery = new Delivery(command, target, limiter, true);
      track?.(delivery);
      return async (after) => {
        if (reading || after) await Promise.all([reading, after]);
        return marked(await deliver(delivery), alert);
      };
    } catch (error) {
      return end({ outcome: 'accepted', error: asDeviceError(error, operation) });
    }
  }

  #command(
    alert: AlertIdentity,
    yields: boolean,
    operation: string,
    parameters: Ticket['action']['parameters'],
  ): { readonly command: Command; readonly reading: Promise<void> | undefined } {
    const key = JSON.stringify([alert.id, yields, operation, parameters]);
    const known = this.#commands.get(key);
    if (known) return known;
    const command = commandFor({
      as: { id: alert.id, name: alert.name, type: alertType },
      ...{ operation, parameters, by: this.options.by, properties: { duringAlert: true } },
      // Dropped if a start of another node waits or is under way at the device output, and tried again later.
      how: { yields, isUrgent: !alert.drill, stopsForOlder: true },
    });
    const made = { command, reading: command.read() };
    this.#commands.set(key, made);
    return made;
  }
}

function commandOf({ kind, action }: Ticket): Pick<Ticket['action'], 'operation' | 'parameters'> {
  return kind === 'end' && action.end ? action.end : action;
}

export function idOf({ device, output }: Pick<Ticket, 'device' | 'output'>): string {
  return idOfStarted({ ...device, where: output.device.where ?? device.where });
}

export function resultOf(
  receipt: Receipt,
  { kind, output, isBeforeStart = false }: Pick<Ticket, 'kind' | 'output' | 'isBeforeStart'>,
): SendResult {
  const { outcome, error } = receipt;
  // If dry run was turned on after the ticket was issued, nothing was sent, and a real start might still be on.
  if (outcome === 'dry-run') return output.dryRun ? 'taken' : 'missed';
  if (isAccepted(receipt)) return 'taken';
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

/** Returns the part of a receipt that a report needs. */
export function reportedOf({ device, operation, outcome, error, latencyMs }: Receipt): ReportedReceipt {
  const why = error && { code: error.code, reason: error.reason, message: error.message };
  return { operation, device, outcome, ...why, latencyMs };
}

export function marked(receipt: Receipt, { drill }: Pick<Alert, 'drill'>): Receipt {
  return drill ? { ...receipt, drill: true } : receipt;
}
