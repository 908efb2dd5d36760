import type { Parameters } from '../../catalogue/operation';
import { type OperationName, operation as operationOf } from '../../catalogue/operation-name';
import type { Answer, Turn } from '../../client/client';
import { asDeviceError, DeviceError } from '../../client/errors';
import { Failure } from '../../client/failure';
import { foundAgain } from '../device/registry';
import type { ConcurrencyLimiter } from '../message/concurrency-limiter';
import { dispatchTo } from '../message/dispatch';
import { type Receipt, receiptOf, succeeded } from '../message/receipt';
import type { Failed, NamedDevice, StepResult } from './announcement';

export const announceType = 'algo-announce';

export interface SendRequest {
  readonly device: NamedDevice;
  readonly node: { readonly id: string; readonly name: string };
  readonly operation: OperationName;
  readonly parameters: Parameters;
  /** Time until the request expires, in milliseconds; infinite or absent for no limit. */
  readonly ttlMs?: number;
  readonly retryForSeconds?: number;
  readonly confirmWrite?: boolean;
  readonly isUrgent?: boolean;
  readonly yields?: boolean;
  /**
   * Called when the request has its turn in the queue. If the result is false, the request fails with
   * SUPERSEDED.
   */
  readonly maySend?: (() => boolean) | undefined;
  /** Called if the request may be sent, which then waits for the promise; only together with `maySend`. */
  readonly beforeSending?: (() => Promise<void> | undefined) | undefined;
  readonly limiter?: ConcurrencyLimiter | undefined;
  readonly by?: string | undefined;
}

export interface Sent {
  readonly receipt: Receipt;
  readonly body: unknown;
}

/**
 * Sends the request through an internal action node, so that the request passes the same checks as a message.
 */
export async function sendRequest(request: SendRequest): Promise<Sent> {
  const { device, node, operation, parameters, maySend, beforeSending, limiter, by } = request;
  const { ttlMs, retryForSeconds = 0, confirmWrite = false, isUrgent = false, yields = false } = request;
  const admission = maySend && (() => admit(maySend, beforeSending));
  const { receipt, payload } = await dispatchTo(device.name, {
    ...{ as: { ...node, type: announceType }, operation, parameters, by, limiter },
    ...(ttlMs !== undefined && { ttlMs }),
    device: foundAgain(device)?.id ?? device.id,
    // Announcements have their own rules for alerts.
    properties: { retryFor: retryForSeconds, confirmWrite, duringAlert: true },
    how: { isUrgent, yields, ...(admission && { admission }) },
  });
  return { receipt, body: payload };
}

/**
 * Sends the request in the turn of another request, whose connection it uses.
 * @param withinMs time limit, in milliseconds
 */
export async function sendInTurn(
  turn: Turn,
  { device, operation, parameters }: SendRequest,
  withinMs: number,
): Promise<Sent> {
  const { happened } = turn;
  try {
    const options = { operationName: operation, withinMs };
    const answer = await turn.call(operationOf(operation), parameters, options);
    return { receipt: receiptFor(device, operation, { answer }), body: answer.body };
  } catch (error) {
    const failure = asDeviceError(error, operation);
    return { receipt: receiptFor(device, operation, { error: failure }), body: undefined };
  } finally {
    // The turn belongs to the other request, which has not been sent yet.
    turn.happened = happened;
  }
}

/** Returns the result of a request that was not sent, since its time was over. */
export function notTried({ device, operation }: SendRequest): Sent {
  const error = new DeviceError('EXPIRED', 'not sent in time', { outcome: 'failed' });
  return { receipt: receiptFor(device, operation, { error }), body: undefined };
}

async function admit(maySend: () => boolean, beforeSending: SendRequest['beforeSending']): Promise<void> {
  refuseUnless(maySend());
  const waiting = beforeSending?.();
  if (!waiting) return;
  await waiting;
  refuseUnless(maySend());
}

function refuseUnless(maySend: boolean): void {
  if (!maySend) throw Failure.own('SUPERSEDED', 'the announcement has ended, or must wait');
}

function receiptFor(
  { name }: NamedDevice,
  operationName: string,
  {
    answer,
    error,
    by,
  }: { readonly answer?: Answer; readonly error?: DeviceError; readonly by?: string | undefined },
): Receipt {
  const nothing = { notes: undefined, latencyMs: 0, outcome: 'accepted' } as const;
  return receiptOf({ ...nothing, device: name, address: '', operationName, answer, error, by });
}

const refusals: readonly string[] = ['REFUSED', 'NOT_SUPPORTED', 'INVALID_PARAMETER'];
/** HTTP status of a busy device. It does not count as a refusal, since a later attempt might succeed. */
const unavailable = 503;

export function isRefusal({ error, statusCode }: Receipt): boolean {
  return error !== undefined && refusals.includes(error.code) && statusCode !== unavailable;
}

export function failedOf({ outcome, error }: Receipt): Failed {
  const isFailure = ['unknown', 'expired', 'superseded', 'skipped'].includes(outcome);
  return { outcome: isFailure ? (outcome as Failed['outcome']) : 'failed', code: error?.code ?? 'ABORTED' };
}

/** @param value the value of the setting, if the request was a read */
export function stepResultOf(receipt: Receipt, value?: string): StepResult {
  if (succeeded(receipt) && receipt.outcome !== 'dry-run')
    return { is: 'done', ...(value !== undefined && { value }) };
  const failed = failedOf(receipt);
  if (receipt.outcome === 'unknown') return { is: 'unknown', failed };
  return { is: isRefusal(receipt) ? 'refused' : 'missed', failed };
}
