import type { NodeAPI, NodeMessage } from 'node-red';
import { withoutLogin } from '../../catalogue/describe';
import { joinMessages, localized, type Text } from '../../catalogue/localized-message';
import type { Answer } from '../../client/call';
import {
  brieflyOf,
  DeviceError,
  type ErrorCode,
  type ErrorDetails,
  type FailedOutcome,
} from '../../client/errors';
import { hiddenResponse } from '../../client/response';
import { maskSentence } from '../../client/secrets';
import { isHeavier } from '../../json';

export type Outcome = 'confirmed' | 'accepted' | 'dry-run' | FailedOutcome;

/**
 * The result of a message at one target, as docs/contract.md 2.2 describes it. A measured value comes from
 * `Answer` and `DeviceError` of the client, and `src/sites/wire.ts` checks the value from a broker.
 */
export interface Receipt {
  /**
   * Name of the device; its id if the device has no name. For a target that was not found, the requested
   * name.
   */
  readonly device: string;
  readonly address: string;
  readonly operation: string;
  readonly outcome: Outcome;
  /** Number of requests that were sent, with retries; 0 if nothing was sent. */
  readonly attempts: number;
  /** Time from the arrival of the message to the receipt, in milliseconds. */
  readonly latencyMs: number;
  /**
   * Time from the first byte of the last request until its response ended or the client gave up, in
   * milliseconds. With `confirmWrite`, the time of the write. Absent if nothing was sent.
   */
  readonly wireMs?: number;
  /** Time of the receipt in ISO 8601. */
  readonly at: string;
  readonly statusCode?: number;
  readonly response?: unknown;
  readonly note?: string;
  readonly drill?: true;
  readonly by?: string;
  readonly error?: ReceiptError;
}

export interface ReceiptError {
  readonly code: ErrorCode;
  /**
   * The short reason for people: at most 100 characters, without the device, its address, the operation and the
   * code.
   */
  readonly reason: string;
  /** The whole sentence, which begins with the reason. */
  readonly message: string;
}

interface Ended {
  readonly device: string;
  readonly address: string;
  readonly operationName: string;
  readonly latencyMs: number;
  readonly outcome: Outcome;
  readonly answer: Answer | undefined;
  readonly notes: Iterable<Text> | undefined;
  readonly error: DeviceError | undefined;
  readonly by: string | undefined;
}

export const maxPersonLength = 200;

export function personIn({ by }: { readonly by?: unknown }): string | undefined {
  return typeof by === 'string' && by !== '' && by.length <= maxPersonLength ? by : undefined;
}

type Growing<T> = { -readonly [Key in keyof T]: T[Key] };

export function receiptOf({
  device,
  address,
  operationName,
  latencyMs,
  outcome,
  answer,
  notes = [],
  error,
  by,
}: Ended): Receipt {
  const statusCode = error?.statusCode ?? answer?.statusCode;
  const all = [...notes, ...(isTooMuch(answer?.body) ? [localized('responseLeftOut')] : [])];
  const note = all.length > 0 ? maskSentence(joinMessages(all)) : '';
  const words = String(note);
  const sentence = error?.sentenceFor(operationName);
  const receipt: Growing<Receipt> = {
    device,
    address,
    operation: operationName,
    outcome: error ? error.outcome : outcome,
    attempts: Math.max(error?.attempts ?? 0, answer?.attempts ?? 0),
    latencyMs: Math.round(latencyMs),
    at: new Date().toISOString(),
  };
  // With `confirmWrite`, the answer belongs to the write and the error to the read.
  const wireMs = answer?.wireMs ?? error?.wireMs;
  if (wireMs !== undefined) receipt.wireMs = wireMs;
  // Single assignments, since spreading five objects that are mostly empty would double the cost.
  if (statusCode !== undefined) receipt.statusCode = statusCode;
  const isHidden = answer?.namesPassword && !isEmpty(answer.body);
  const response = responseOf(error ? error.response : isHidden ? hiddenResponse : answer?.body);
  if (response !== undefined) receipt.response = response;
  if (words !== '') receipt.note = words;
  if (by !== undefined) receipt.by = by;
  if (error) receipt.error = { code: error.code, reason: error.reason, message: String(sentence) };
  if (words !== '' || error)
    localizedParts.set(receipt, {
      ...(words !== '' && { note }),
      ...(error && sentence && { reason: error.fault.reason, sentence }),
    });
  return receipt;
}

interface LocalizedParts {
  readonly note?: Text;
  readonly reason?: Text;
  readonly sentence?: Text;
}

const localizedParts = new WeakMap<Receipt, LocalizedParts>();

export function localizedPartsOf(receipt: Receipt): LocalizedParts {
  return localizedParts.get(receipt) ?? {};
}

/** Returns the receipt with one more note. */
export function withNote(receipt: Receipt, note: Text): Receipt {
  const parts = localizedPartsOf(receipt);
  const all = parts.note === undefined ? note : joinMessages([parts.note, note]);
  const noted = { ...receipt, note: String(all) };
  localizedParts.set(noted, { ...parts, note: all });
  return noted;
}

export function succeeded({ outcome }: Receipt): boolean {
  return outcome === 'accepted' || outcome === 'confirmed' || outcome === 'dry-run';
}

/** Whether an alert has held the operation back, which is not an error. */
export function isHeldBack({ outcome, error }: Receipt): boolean {
  return outcome === 'skipped' && error === undefined;
}

export function isFine(receipt: Receipt): boolean {
  return succeeded(receipt) || isHeldBack(receipt);
}

/**
 * Returns one error for all receipts; undefined if no receipt is an error. A skipped operation is not an
 * error if another target succeeded, or if an alert held the operation back at another target.
 * @param failedFirst the receipt that names the error, if there is one
 */
export function errorOf(receipts: readonly Receipt[], failedFirst?: Receipt): DeviceError | undefined {
  if (receipts.every(isFine)) return undefined;
  const skippingIsFine = receipts.some(isFine);
  const wrong = receipts.filter(
    (receipt) => !succeeded(receipt) && !(skippingIsFine && receipt.outcome === 'skipped'),
  );
  const failed = wrong.filter(({ outcome }) => outcome !== 'skipped');
  const [firstInOrder] = failed.length > 0 ? failed : wrong;
  const first = failedFirst ?? firstInOrder;
  if (!first?.error) return undefined;
  const more = wrong.length - 1;
  const others = more === 0 ? '' : ` (and ${more} more of ${receipts.length} targets: see msg.receipts)`;
  return quotedError(first.error, others);
}

/** Returns the error of a receipt, with its reason. */
export function quotedError(
  { code, reason, message }: ReceiptError,
  addition = '',
  details?: ErrorDetails,
): DeviceError {
  return new DeviceError(code, { reason, sentence: `${message}${addition}` }, details);
}

/**
 * Returns the part of a response that a receipt contains: a copy without logins. Undefined if the response is
 * empty, too large or a buffer.
 */
export function responseOf(body: unknown): unknown {
  return isEmpty(body) || Buffer.isBuffer(body) || isTooMuch(body) ? undefined : copyOf(body);
}

/**
 * Maximum number of values in the response of a receipt. Copies of larger responses would block the event
 * loop.
 */
const maxValues = 200_000;

export function isTooMuch(body: unknown): boolean {
  return typeof body === 'object' && body !== null && isHeavier(body, maxValues, () => 1);
}

/**
 * Returns a copy of a receipt for one recipient, so that a flow that changes its copy does not affect other
 * recipients.
 */
export function ownReceipt<R extends { readonly response?: unknown; readonly error?: object }>(
  receipt: R,
): R {
  const { response, error } = receipt;
  return {
    ...receipt,
    ...(typeof response === 'object' && { response: copyOf(response) }),
    ...(error && { error: { ...error } }),
  };
}

/**
 * Returns a copy without the logins for other devices that events of a scheduler contain (docs/interface.md,
 * section 2.6a). Only lists and plain objects are copied.
 */
function copyOf(value: unknown): unknown {
  if (typeof value === 'string') return value.length < minLoginLength ? value : withoutLogin(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const record = value as Record<string, unknown>;
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(record)) {
    const inner = copyOf(record[name]);
    // A plain assignment to `__proto__` would replace the prototype.
    if (name === '__proto__') Object.defineProperty(copy, name, { value: inner, ...plainProperty });
    else copy[name] = inner;
  }
  return copy;
}

const plainProperty = { configurable: true, enumerable: true, writable: true } as const;

/** Minimum length of a text that can contain a login: `X-Token: ` plus one character. */
const minLoginLength = 10;

export function isEmpty(body: unknown): boolean {
  return body === undefined || body === '' || (Buffer.isBuffer(body) && body.length === 0);
}

export interface Result {
  readonly receipts: Receipt[];
  readonly payload?: unknown;
  /** The receipt of the target that failed first in a rolling message. */
  readonly failedFirst?: Receipt | undefined;
}

export interface Outgoing {
  onTargetEnd(targetResult: {
    readonly index: number;
    readonly receipt: Receipt;
    readonly delivery: { readonly payload: unknown };
  }): void;
  finish(result: Result): DeviceError | undefined;
}

export function asOne<Message extends object>(message: Message, send: (message: Message) => void): Outgoing {
  return {
    onTargetEnd() {},
    finish({ failedFirst, ...result }) {
      const cannotCarry = addResults(message, result);
      if (result.receipts.some(isFine) && !cannotCarry) send(message);
      return errorOf(result.receipts, failedFirst) ?? cannotCarry;
    },
  };
}

export function asSplit<Message extends NodeMessage>(
  { util }: Pick<NodeAPI, 'util'>,
  message: Message,
  count: number,
  send: (message: Message) => void,
): Outgoing {
  const id = util.generateId();
  let cannotCarry: DeviceError | undefined;
  return {
    onTargetEnd({ index, receipt, delivery }) {
      if (!isFine(receipt)) return;
      const parts = { id, type: 'array', index, count };
      const { payload } = delivery;
      try {
        const own = { receipts: [ownReceipt(receipt)], parts, ...(payload !== undefined && { payload }) };
        send(Object.assign(util.cloneMessage(message), own));
      } catch (fault) {
        cannotCarry ??= unwritable([receipt], fault);
      }
    },
    finish({ receipts, failedFirst }) {
      const error = addResults(message, { receipts });
      return errorOf(receipts, failedFirst) ?? cannotCarry ?? error;
    },
  };
}

/**
 * Adds the results to a message.
 * @param sender named in the error if there is no receipt
 * @returns an error if the message cannot carry the results, for example because the message is frozen
 */
export function addResults<
  R extends { readonly receipts: readonly Pick<Receipt, 'operation' | 'outcome'>[] },
>(message: object, result: R, sender = ''): DeviceError | undefined {
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
  const details = [...(receipt ? [`the outcome is ${receipt.outcome}`] : []), brieflyOf(cause)];
  const fault = { reason: 'the message cannot carry its receipts', details };
  return new DeviceError('PROTOCOL', fault, {
    cause,
    ...(receipt ? { operationName: receipt.operation } : { place: sender }),
  });
}
