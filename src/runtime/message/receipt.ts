import type { NodeAPI, NodeMessage } from 'node-red';
import { withoutLogin } from '../../catalogue/describe';
import { joinMessages, localized, type Text } from '../../catalogue/localized-message';
import type { Answer } from '../../client/call';
import { brieflyOf, DeviceError, type ErrorCode, type FailedOutcome } from '../../client/errors';
import { isHeavier } from '../../json';

/** `dry-run`: the command is valid and was not sent. */
export type Outcome = 'confirmed' | 'accepted' | 'dry-run' | FailedOutcome;

/** What became of one message at one target. Part of the public contract: flows read it. */
export interface Receipt {
  /** The device's name, else its id; for a target that was not found, what was asked for. */
  readonly device: string;
  readonly address: string;
  /** For example `door/unlock`. */
  readonly operation: string;
  readonly outcome: Outcome;
  /** How often the request was sent; 0 when it was refused before. */
  readonly attempts: number;
  /** From the message's arrival to the end, in milliseconds. */
  readonly latencyMs: number;
  /**
   * From the first byte of the last request to the end of its answer or until it was given up, in milliseconds; with
   * `confirmWrite`, of the write. Absent when nothing was sent.
   */
  readonly wireMs?: number;
  /** ISO 8601. */
  readonly at: string;
  readonly statusCode?: number;
  readonly response?: unknown;
  readonly note?: string;
  /** Of an alert that is only practiced. */
  readonly drill?: true;
  readonly error?: { readonly code: ErrorCode; readonly message: string };
}

/** How one message ended at one target. */
interface Ended {
  readonly device: string;
  readonly address: string;
  readonly operationName: string;
  readonly latencyMs: number;
  readonly outcome: Outcome;
  readonly answer: Answer | undefined;
  readonly notes: Iterable<Text> | undefined;
  readonly error: DeviceError | undefined;
}

type Growing<T> = { -readonly [Key in keyof T]: T[Key] };

/** The receipt of one message at one target. */
export function receiptOf({
  device,
  address,
  operationName,
  latencyMs,
  outcome,
  answer,
  notes = [],
  error,
}: Ended): Receipt {
  const statusCode = error?.statusCode ?? answer?.statusCode;
  const all = [...notes, ...(isTooMuch(answer?.body) ? [localized('responseLeftOut')] : [])];
  const note = all.length > 0 ? joinMessages(all) : '';
  const words = String(note);
  const reason = error && sentenceOf(error, operationName);
  const receipt: Growing<Receipt> = {
    device,
    address,
    operation: operationName,
    outcome: error ? error.outcome : outcome,
    attempts: Math.max(error?.attempts ?? 0, answer?.attempts ?? 0),
    latencyMs: Math.round(latencyMs),
    at: new Date().toISOString(),
  };
  // With `confirmWrite` the answer is that of the write, and the error that of the reading.
  const wireMs = answer?.wireMs ?? error?.wireMs;
  if (wireMs !== undefined) receipt.wireMs = wireMs;
  // Five objects that are spread into it, most of them empty, would cost as much as all else here.
  if (statusCode !== undefined) receipt.statusCode = statusCode;
  const response = responseOf(error ? error.response : answer?.body);
  if (response !== undefined) receipt.response = response;
  if (words !== '') receipt.note = words;
  if (error) receipt.error = { code: error.code, message: String(reason) };
  if (words !== '' || reason)
    sayings.set(receipt, { ...(words !== '' && { note }), ...(reason && { reason }) });
  return receipt;
}

/** What a receipt's sentences are made of; a receipt itself, which leaves with messages, has them in English only. */
interface Sayings {
  readonly note?: Text;
  readonly reason?: Text;
}

const sayings = new WeakMap<Receipt, Sayings>();

/** The note and the error of a receipt that was made here, to be said in other languages too. */
export function sayingsOf(receipt: Receipt): Sayings {
  return sayings.get(receipt) ?? {};
}

/** What is wrong with a device or a name is found by who knows nothing of what was to be done. */
function sentenceOf(error: DeviceError, operationName: string): Text {
  return error.operationName === undefined
    ? localized('ofOperation', { operation: operationName, reason: error.said })
    : error.said;
}

/** Whether the target did, or took on, what it was asked for. */
export function succeeded({ outcome }: Receipt): boolean {
  return outcome === 'accepted' || outcome === 'confirmed' || outcome === 'dry-run';
}

/**
 * The one error that a message's receipts amount to, or undefined when nothing went wrong. A model that lacks
 * the operation is no error while another target succeeded.
 */
export function errorOf(receipts: readonly Receipt[]): DeviceError | undefined {
  if (receipts.every(succeeded)) return undefined;
  const skippingIsFine = receipts.some(succeeded);
  const wrong = receipts.filter(
    (receipt) => !succeeded(receipt) && !(skippingIsFine && receipt.outcome === 'skipped'),
  );
  const failed = wrong.filter(({ outcome }) => outcome !== 'skipped');
  const [first] = failed.length > 0 ? failed : wrong;
  if (!first?.error) return undefined;
  const more = wrong.length - 1;
  const others = more === 0 ? '' : ` (and ${more} more of ${receipts.length} targets: see msg.receipts)`;
  return new DeviceError(first.error.code, `${first.error.message}${others}`);
}

/** What of an answer belongs in a receipt: no Buffers, no logins, undefined when there was nothing or too much. */
export function responseOf(body: unknown): unknown {
  return isEmpty(body) || Buffer.isBuffer(body) || isTooMuch(body) ? undefined : copyOf(body);
}

/** An answer of more values is in no receipt: each copy of it would hold up everybody else. */
const maxValues = 200_000;

/** Whether an answer is too much for a receipt. A calendar of many bells may be. */
export function isTooMuch(body: unknown): boolean {
  return typeof body === 'object' && body !== null && isHeavier(body, maxValues, () => 1);
}

/** For one more who gets it: a flow may do with its message what it likes, and the others' receipts stay. */
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
 * A copy without what lets a scheduler into another device, as its events have it (section 2.6a). What is neither a
 * list nor a plain object is left as it is.
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
    // Any other name may be set; this one would put something else in the place of the prototype.
    if (name === '__proto__') Object.defineProperty(copy, name, { value: inner, ...plainProperty });
    else copy[name] = inner;
  }
  return copy;
}

const plainProperty = { configurable: true, enumerable: true, writable: true } as const;

/** `Authorization: Basic` and a letter. */
const minLoginLength = 21;

export function isEmpty(body: unknown): boolean {
  return body === undefined || body === '' || (Buffer.isBuffer(body) && body.length === 0);
}

/** What became of a message: receipts in the targets' order, and the answer if it becomes the payload. */
export interface Result {
  readonly receipts: Receipt[];
  readonly payload?: unknown;
}

/** A message's way out of its node. */
export interface Outgoing {
  /** One of its targets has ended. */
  ended(end: {
    readonly index: number;
    readonly receipt: Receipt;
    readonly delivery: { readonly payload: unknown };
  }): void;
  /** All have. Returns what went wrong. */
  finish(result: Result): DeviceError | undefined;
}

/** One message for all targets, if any of them succeeded. */
export function asOne<Message extends object>(message: Message, send: (message: Message) => void): Outgoing {
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
 * Sends one message for each target that succeeds, as soon as it does, so that a join node can collect them.
 * @param count how many targets there are
 */
export function asSplit<Message extends NodeMessage>(
  { util }: Pick<NodeAPI, 'util'>,
  message: Message,
  count: number,
  send: (message: Message) => void,
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

function write(message: object, { receipts, payload }: Result): DeviceError | undefined {
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
