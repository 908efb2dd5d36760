import type { Parameters } from '../../catalogue/operation';
import { type OperationName, operation as operationOf } from '../../catalogue/operation-name';
import type { Turn } from '../../client/client';
import { asDeviceError, DeviceError } from '../../client/errors';
import { foundAgain } from '../device/registry';
import type { ConcurrencyLimiter } from '../message/concurrency-limiter';
import { dispatchTo } from '../message/dispatch';
import { type Receipt, type ReceiptError, succeeded } from '../message/receipt';
import type { AnnouncingNode, NamedDevice } from './announcement';

export const announceType = 'algo-announce';

export interface SendRequest {
  readonly device: NamedDevice;
  readonly node: AnnouncingNode;
  readonly operation: OperationName;
  readonly parameters: Parameters;
  /** Time until the request expires, in milliseconds; infinite or absent for no limit. */
  readonly ttlMs?: number;
  readonly retryForSeconds?: number;
  readonly confirmWrite?: boolean;
  readonly isUrgent?: boolean;
  readonly yields?: boolean;
  /** Awaited when the request has its turn in the queue; a rejection is the failure of the request. */
  readonly admission?: () => Promise<void>;
  readonly limiter?: ConcurrencyLimiter | undefined;
  readonly by?: string | undefined;
}

export type SendsRequest = (request: SendRequest) => Promise<Sent>;

export interface Sent {
  readonly receipt: Receipt;
  readonly body: unknown;
}

/**
 * Sends the request through an internal action node, so that the request passes the same checks as a message.
 */
export async function sendRequest(request: SendRequest): Promise<Sent> {
  const { device, node, operation, parameters, admission, limiter, by } = request;
  const { ttlMs, retryForSeconds = 0, confirmWrite = false, isUrgent = false, yields = false } = request;
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
 * Sends a request in the turn of another request, whose connection it uses.
 * @param withinMs time limit, in milliseconds
 * @throws DeviceError if the device does not answer in time
 */
export async function sendInTurn(
  turn: Turn,
  operation: OperationName,
  parameters: Parameters,
  withinMs: number,
): Promise<TurnResult> {
  const { happened } = turn;
  try {
    if (withinMs <= 0) throw new DeviceError('EXPIRED', 'not sent in time');
    const options = { operationName: operation, withinMs };
    const { body } = await turn.call(operationOf(operation), parameters, options);
    return { is: 'done', ...valueIn(body, parameters) };
  } catch (fault) {
    const error = asDeviceError(fault, operation);
    if (isRefusal({ error, statusCode: error.statusCode })) return { is: 'refused' };
    throw error;
  } finally {
    // The turn belongs to the other request, which has not been sent yet.
    turn.happened = happened;
  }
}

const refusals: readonly string[] = ['REFUSED', 'NOT_SUPPORTED', 'INVALID_PARAMETER'];
/** HTTP status of a busy device. It does not count as a refusal, since a later attempt might succeed. */
const unavailable = 503;

export function isRefusal({
  error,
  statusCode,
}: {
  readonly error?: Pick<ReceiptError, 'code'>;
  readonly statusCode?: number | undefined;
}): boolean {
  return error !== undefined && refusals.includes(error.code) && statusCode !== unavailable;
}

export interface TurnResult {
  /** `missed`: the request did not take effect, for a reason other than a refusal. */
  readonly is: 'done' | 'refused' | 'missed' | 'unknown';
  /** The value of the setting that was read. */
  readonly value?: string;
}

/** A request of an announcement, as the device has taken it. */
export interface StepResult extends TurnResult {
  readonly receipt: Receipt;
}

export function resultOf({ receipt, body }: Sent, parameters: Parameters): StepResult {
  if (succeeded(receipt) && receipt.outcome !== 'dry-run')
    return { is: 'done', receipt, ...valueIn(body, parameters) };
  if (receipt.outcome === 'unknown') return { is: 'unknown', receipt };
  return { is: isRefusal(receipt) ? 'refused' : 'missed', receipt };
}

function valueIn(body: unknown, { name }: Parameters): Pick<TurnResult, 'value'> {
  const value: unknown = Object(body)[String(name)];
  return typeof value === 'string' || typeof value === 'number' ? { value: String(value) } : {};
}

const dryRunWords = 'dry run is on for the device';
/** The error of a request that was not sent, since dry run is on for the device. */
export const dryRunError: ReceiptError = { code: 'ABORTED', reason: dryRunWords, message: dryRunWords };
