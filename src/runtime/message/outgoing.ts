import type { NodeAPI } from 'node-red';
import { brieflyOf, DeviceError } from '../../client/errors';
import type { ActionMessage } from './command';
import type { Result, TargetResult } from './fan-out';
import { errorOf, ownReceipt, type Receipt, succeeded } from './receipt';

type Send = (message: ActionMessage) => void;

/** A message's way out of its node. */
export interface Outgoing {
  /** One of its targets has ended. */
  ended(end: TargetResult): void;
  /** All have. Returns what went wrong. */
  finish(result: Result): DeviceError | undefined;
}

/** One message for all targets, if any of them succeeded. */
export function asOne(message: ActionMessage, send: Send): Outgoing {
  return {
    ended() {},
    finish(result) {
      const cannotCarry = write(message, result);
      if (result.receipts.some(succeeded) && !cannotCarry) send(message);
      return errorOf(result.receipts) ?? cannotCarry;
    },
  };
}

/**
 * One message for each target that succeeds, as soon as it does, so that a core join node can collect them.
 * @param count how many targets there are
 */
export function asStream(
  { util }: Pick<NodeAPI, 'util'>,
  message: ActionMessage,
  count: number,
  send: Send,
): Outgoing {
  const id = util.generateId();
  let cannotCarry: DeviceError | undefined;
  return {
    ended({ index, receipt, delivery }) {
      if (!succeeded(receipt)) return;
      const parts = { id, type: 'array', index, count };
      const { payload } = delivery;
      try {
        const own = { receipts: [ownReceipt(receipt)], parts, ...(payload !== undefined && { payload }) };
        send(Object.assign(util.cloneMessage(message), own));
      } catch (fault) {
        cannotCarry ??= unwritable([receipt], fault);
      }
    },
    finish({ receipts }) {
      const error = write(message, { receipts });
      return errorOf(receipts) ?? cannotCarry ?? error;
    },
  };
}

function write(message: ActionMessage, { receipts, payload }: Result): DeviceError | undefined {
  return carry(message, { receipts, ...(payload !== undefined && { payload }) });
}

/**
 * Puts onto a message what leaves with it.
 * @param sender named in the error where there is no receipt
 * @returns what keeps the message from carrying that, as when it is frozen
 */
export function carry(
  message: object,
  result: { readonly receipts: readonly Pick<Receipt, 'operation' | 'outcome'>[]; [name: string]: unknown },
  sender = '',
): DeviceError | undefined {
  try {
    Object.assign(message, result);
    return undefined;
  } catch (fault) {
    return unwritable(result.receipts, fault, sender);
  }
}

function unwritable(
  [receipt]: readonly Pick<Receipt, 'operation' | 'outcome'>[],
  cause: unknown,
  sender = '',
): DeviceError {
  const done = receipt ? `${receipt.operation}: ${receipt.outcome}, but` : `${sender}:`;
  const sentence = `${done} the message cannot carry its receipts (${brieflyOf(cause)})`;
  return new DeviceError('PROTOCOL', sentence, { cause });
}
