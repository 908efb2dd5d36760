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

/** What a message came to, and when. */
export interface Done {
  readonly receipts: readonly Receipt[];
  readonly error: DeviceError | undefined;
  readonly at: Date;
  /** What is said of a yes, where it means something else. */
  readonly acceptedKey?: string | undefined;
  /** The parameter that was wrong, where it was one. */
  readonly wrongField?: string | undefined;
}

/** Under the node when a message is done: how it went and when, in fewer than 20 characters. */
export function doneStatus(translate: Translate, done: Done): NodeStatus {
  const { receipts, error, at, acceptedKey, wrongField } = done;
  const shown = error
    ? ({ fill: 'red', shape: 'ring' } as const)
    : ({ fill: 'green', shape: 'dot' } as const);
  if (receipts.length > 1) {
    const ended = receipts.filter(succeeded).length;
    const counts = { done: String(ended), all: String(receipts.length) };
    return { ...shown, text: stamped(translate('status.several', counts), at) };
  }
  if (error?.code === 'INVALID_PARAMETER' && wrongField !== undefined) {
    return { ...shown, text: fitting(translate('status.wrongField', { field: wrongField })) };
  }
  const key = error ? error.code : (receipts[0]?.outcome ?? 'accepted');
  return {
    ...shown,
    text: stamped(translate(error ? `status.${key}` : (acceptedKey ?? `status.${key}`)), at),
  };
}

/** A text under a node is shorter than this. */
const tooLong = 20;

/** A word with its time here, so that the second of two messages can be told from the first: as exact as fits. */
function stamped(word: string, at: Date): string {
  const [hours, minutes, seconds] = [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) =>
    String(part).padStart(2, '0'),
  );
  const texts = [`${word} ${hours}:${minutes}:${seconds}`, `${word} ${hours}:${minutes}`, word];
  return texts.find((text) => text.length < tooLong) ?? word;
}

function fitting(text: string): string {
  return text.length < tooLong ? text : `${text.slice(0, tooLong - 2)}…`;
}

/** Under the node when something is wrong: a short word for each error code. */
export function errorStatus(translate: Translate, code: ErrorCode): NodeStatus {
  return { fill: 'red', shape: 'ring', text: translate(`status.${code}`) };
}
