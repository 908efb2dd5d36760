import { localized } from '../../catalogue/localized-message';
import { nothingSent } from '../../catalogue/sentence';
import { asDeviceError, DeviceError } from '../../client/errors';
import { type ActionMessage, type ActionNode, type ActionProperties, Command } from './command';
import { type Circumstances, type DispatchedMessage, fanOut } from './fan-out';
import { kindOf, madeUp } from './kinds';
import { type Receipt, receiptOf } from './receipt';

/** An operation that code sends, as if a message had reached an action node. */
export interface DispatchRequest extends Circumstances {
  /** The node in whose name the operation is sent. */
  readonly as: { readonly id: string; readonly name: string; readonly type: string };
  /** For example `door/lock`. */
  readonly operation: string;
  /** The id of the device; absent for `names`. */
  readonly device?: string;
  /** Names of targets, as in `msg.device`. */
  readonly names?: unknown;
  /** The parameters by their wire names; absent if the properties have them. */
  readonly parameters?: unknown;
  /** Further properties of the node. Without them, nothing is retried, and nothing expires before `ttlMs`. */
  readonly properties?: ActionProperties;
  /** Time until the operation expires, in milliseconds; infinite or absent for never, unlike an action node. */
  readonly ttlMs?: number;
  readonly by?: string | undefined;
  readonly messageId?: string;
  readonly how?: Partial<
    Pick<ActionNode, 'node' | 'autoStops' | 'admission' | 'yields' | 'isUrgent' | 'stopsForOlder' | 'onDone'>
  >;
}

/**
 * Sends an operation from code, with the same checks, hooks, order and receipts as a message to an action node.
 * @throws DeviceError NOT_CONFIGURED if the node of the operation is not loaded
 */
export function dispatch(request: DispatchRequest): DispatchedMessage {
  const { action, message } = actionOf(request);
  return fanOut(action, message, request);
}

/**
 * Returns the command that `dispatch` sends, for a caller that takes the queue entries of many devices before it sends.
 * @throws DeviceError NOT_CONFIGURED if the node of the operation is not loaded
 */
export function commandFor(request: DispatchRequest): Command {
  const { action, message } = actionOf(request);
  return new Command(action, message);
}

function actionOf(request: DispatchRequest): { action: ActionNode; message: ActionMessage } {
  const { as, operation, device, names, parameters, by, messageId = '', how } = request;
  const { ttlMs = Number.POSITIVE_INFINITY } = request;
  const kind = kindOf(operation);
  if (!kind)
    throw new DeviceError('NOT_CONFIGURED', nothingSent(localized('nodeNotLoaded')), {
      operationName: operation,
    });
  const properties = {
    ...(device === undefined ? { target: 'msg' } : { device }),
    ...(parameters !== undefined && { parametersType: 'msg', parameters: 'payload' }),
    retryFor: 0,
    // A `ttl` of 0 means no limit.
    ttl: Number.isFinite(ttlMs) ? Math.max(ttlMs, 1) / 1_000 : 0,
    ...request.properties,
  };
  const message = { _msgid: messageId, payload: parameters, device: names, by };
  return { action: { ...madeUp(kind, as, operation, properties), ...how }, message };
}

/**
 * Sends an operation to one device, as `dispatch` does. There is always one receipt, also if the node of the
 * operation is not loaded or the device is not there. Never rejects.
 * @param name the name of the device, for a receipt without a request; `request.device` is the target
 * @param begun gets the deliveries, which can be aborted
 */
export async function dispatchTo(
  name: string,
  request: DispatchRequest,
  begun: (deliveries: DispatchedMessage['deliveries']) => void = () => {},
): Promise<{ readonly receipt: Receipt; readonly payload?: unknown }> {
  const { operation: operationName, by } = request;
  const unsent = {
    device: name,
    address: '',
    operationName,
    answer: undefined,
    notes: undefined,
    latencyMs: 0,
  };
  const refused = (error: DeviceError) => ({
    receipt: receiptOf({ ...unsent, outcome: 'accepted', by, error }),
  });
  try {
    const { deliveries, result } = dispatch(request);
    begun(deliveries);
    const { receipts, payload } = await result;
    const [receipt] = receipts;
    return receipt
      ? { receipt, payload }
      : refused(new DeviceError('NOT_CONFIGURED', localized('noDeviceChosen')));
  } catch (error) {
    return refused(asDeviceError(error, operationName));
  }
}
