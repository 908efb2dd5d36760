import type { NodeStatus } from 'node-red';
import type { DeviceError, ErrorCode } from '../client/errors';
import { type Receipt, succeeded } from './action/receipt';

/** Translates a key of the node's locale; `RED._` does. */
export type Translate = (key: string, values?: Record<string, string>) => string;

/** What of an operation's name fits under a node, with an ellipsis behind it. */
const longestName = 18;

/** Under the node while requests are under way. */
export function sendingStatus(translate: Translate, operationId: string): NodeStatus {
  const operation = operationId.slice(0, longestName);
  return { fill: 'blue', shape: 'dot', text: translate('status.sending', { operation }) };
}

/** Under the node while a message goes to many: how many of them have ended. */
export function countStatus(translate: Translate, ended: number, all: number): NodeStatus {
  const text = translate('status.underWay', { ended: String(ended), all: String(all) });
  return { fill: 'blue', shape: 'dot', text };
}

/** Under the node while something takes longer: how far it is. */
export function progressStatus(text: string): NodeStatus {
  return { fill: 'blue', shape: 'dot', text };
}

/** Under the node when a message is done: how it went, in fewer than 20 characters. */
export function doneStatus(
  translate: Translate,
  receipts: readonly Receipt[],
  error: DeviceError | undefined,
  acceptedKey?: string,
): NodeStatus {
  const done = receipts.filter(succeeded).length;
  if (receipts.length > 1) {
    const text = translate('status.several', { done: String(done), all: String(receipts.length) });
    return error ? { fill: 'red', shape: 'ring', text } : { fill: 'green', shape: 'dot', text };
  }
  if (error) return errorStatus(translate, error.code);
  const key = acceptedKey ?? `status.${receipts[0]?.outcome ?? 'accepted'}`;
  return { fill: 'green', shape: 'dot', text: translate(key) };
}

/** Under the node when something is wrong: a short word for each error code. */
export function errorStatus(translate: Translate, code: ErrorCode): NodeStatus {
  return { fill: 'red', shape: 'ring', text: translate(`status.${code}`) };
}
