import { isShallow } from '../json';
import {
  anything,
  closed,
  count,
  either,
  flag,
  list,
  number,
  type Of,
  object,
  oneOf,
  open,
  type Shape,
  text,
} from '../kernel/shape';

/**
 * The messages between a centre and its sites (docs/contract.md 2.8), and the checks of received messages.
 */

export const maxMessageBytes = 256 * 1024;

/**
 * Time for which the broker stores a result, except the results to which `clearLastsSeconds` applies, in
 * seconds.
 */
export const resultLastsSeconds = 3_600;

/**
 * Time for which the broker stores the last results of a start and of a clear of an alert, in seconds. An
 * instance that was offline for months must still learn of the clear.
 */
export const clearLastsSeconds = 31_536_000;

/**
 * The kinds of messages in the order of a site's subscriptions: live instances and results must be known
 * before jobs.
 */
export const kinds = ['state', 'result', 'claim', 'job'] as const;
export type Kind = (typeof kinds)[number];

export interface Topic {
  readonly site: string;
  readonly kind: Kind;
  readonly id: string;
}

export function topicOf(prefix: string, { site, kind, id }: Topic): string {
  return `${prefix}/${site}/${kind}/${id}`;
}

/** @returns undefined if the topic does not belong to this protocol */
export function readTopic(prefix: string, topic: string): Topic | undefined {
  if (!topic.startsWith(`${prefix}/`)) return undefined;
  const [site, kind, id, ...more] = topic.slice(prefix.length + 1).split('/');
  const known = kinds.find((one) => one === kind);
  return site && known && id && more.length === 0 ? { site, kind: known, id } : undefined;
}

/** Whether a text is valid as one level of a topic, for example the name of a site. */
export function isLevel(text: unknown): text is string {
  if (typeof text !== 'string' || text === '' || Buffer.byteLength(text) > 128) return false;
  return [...text].every(
    (character) => character > '\u001f' && character !== '\u007f' && !'/+#'.includes(character),
  );
}

/**
 * Whether a text is valid as the start of a topic: levels separated by slashes, without a `$` at the start.
 */
export function isPrefix(text: unknown): text is string {
  return typeof text === 'string' && !text.startsWith('$') && text.split('/').every(isLevel);
}

const name = text({ most: 2_000 });
/** The length is limited, since a centre remembers the ids of nodes. */
const nodeId = text({ most: 200 });
const level: Shape<string> = isLevel;
const age = number({ least: 0 });
const version = oneOf(2);

/**
 * Maximum depth of lists and objects in a message. Deeper values could exhaust the stack of code that reads
 * the message.
 */
export const maxDepth = 32;

const maxEntries = 10_000;

/**
 * The name of an operation is `resource/operation`, or only the resource if its single operation has the same
 * name.
 */
const operationName: Shape<string> = (value): value is string => name(value) && value.split('/').length <= 2;
/** The name of a person, as in `msg.by`. */
const person = text({ least: 1, most: 200 });
const operationCommand = closed({ operation: operationName, parameters: object }, { by: person });
const acknowledgement = closed(
  { alert: name, action: oneOf('acknowledge'), by: person },
  { answer: text({ most: 200 }) },
);
const alertCommand = closed(
  { alert: name, action: oneOf('start', 'clear') },
  { priority: number(), drill: flag, by: person },
);
const command = either(either(operationCommand, alertCommand), acknowledgement);

export type JobCommand = Of<typeof command>;

const job = closed(
  {
    v: version,
    id: level,
    site: level,
    /**
     * Time of the request in ISO 8601, for users and to find out which of two requests is later. No deadline
     * depends on this time.
     */
    at: name,
    command,
    /** Targets at the site: names of devices, `group:…` or `tag:…`. */
    devices: list(name, maxEntries),
  },
  {
    /** Id of the centre, which survives restarts. */
    centre: level,
    /** Sequence number, which rises with each request of a centre. */
    seq: count,
    /** Age of the request at the publication of the job, in milliseconds. */
    ago: age,
    /** Expiry of the job at its publication, in seconds. */
    expiry: count,
    /** The instance whose claim the centre has received; a restarted broker might have forgotten the claim. */
    claimed: level,
    /**
     * The instances that might have claimed the job while the centre was disconnected. Another instance must
     * wait for the claims and results of these instances before it claims a job that is not idempotent.
     */
    maybeClaimedBy: list(level, maxEntries),
    /**
     * The only instances that may claim a job that is not idempotent, so that the centre knows all possible
     * claimants; if absent, any instance may claim the job.
     */
    eligible: list(level, maxEntries),
  },
);

export type JobMessage = Of<typeof job>;

// Unknown fields of a newer version are accepted: an instance that ignores a claim could send a job twice.
const claim = open({
  v: version,
  instance: level,
  nodeId,
  /** Number that differs for each claim of an instance. */
  seq: count,
});

export type ClaimMessage = Of<typeof claim>;

const state = open(
  {
    v: version,
    instance: level,
    /** The id of the node, which stays the same: a new run with this id shows that the previous run has ended. */
    nodeId,
    rank: count,
    /** Number of the heartbeat. Its echo shows that all earlier messages have arrived. */
    seq: count,
    /** Whether the instance has announced all its claims and results on its current connection. */
    ready: flag,
  },
  /** Whether the instance is about to end, so that another instance takes over immediately. */
  { leaving: flag },
);

export type StateMessage = Of<typeof state>;

const ofReceipt = { device: name, operation: name, outcome: name, attempts: count };
const whereAndWhen = { address: name, latencyMs: number(), at: name };
const optionalInReceipt = {
  ...{ wireMs: number(), statusCode: number(), response: anything, note: text(), drill: flag, by: name },
};
const receipt = open(
  { ...ofReceipt, ...whereAndWhen },
  { ...optionalInReceipt, error: open({ code: name, reason: name, message: text() }) },
);
const cutReceipt = open(ofReceipt, {
  ...whereAndWhen,
  ...optionalInReceipt,
  error: open({ code: name }, { reason: name, message: text() }),
});
const ofResult = { v: version, instance: level, at: name };
const ofRequest = {
  /** Whether the request was a drill: the clear of a drill ends no real alert. */
  drill: flag,
  centre: level,
  seq: count,
  /** Age of the request at the publication of the result, in milliseconds. */
  ago: age,
};
const cleared = open({ alert: name, at: name }, { nodeIds: list(nodeId, maxEntries), ...ofRequest });
const started = open({ alert: name, at: name, nodeId }, ofRequest);
const optionalInResult = { doneBy: list(level, maxEntries), cleared, started };
const wholeResult = open(
  { ...ofResult, receipts: list(receipt, maxEntries) },
  { ...optionalInResult, truncated: oneOf(false) },
);
const cutResult = open(
  { ...ofResult, receipts: list(cutReceipt, maxEntries), truncated: oneOf(true) },
  optionalInResult,
);

/** A receipt in the form that docs/contract.md describes. */
export interface WireReceipt {
  readonly device: string;
  readonly address: string;
  readonly operation: string;
  readonly outcome: string;
  readonly attempts: number;
  readonly latencyMs: number;
  readonly wireMs?: number;
  readonly at: string;
  readonly by?: string;
  readonly error?: { readonly code: string; readonly reason: string; readonly message: string };
  readonly [more: string]: unknown;
}

export interface ResultMessage {
  readonly v: 2;
  readonly instance: string;
  readonly at: string;
  readonly receipts: readonly WireReceipt[];
  /**
   * Whether the receipts were shortened to fit into one message. Shortened receipts have only `device`,
   * `operation`, `outcome`, `attempts` and `error.code`.
   */
  readonly truncated?: boolean;
  /** The instances that have carried out a clear; undefined for other jobs. */
  readonly doneBy?: readonly string[];
  /** The clear of an alert: the nodes that cleared the alert, and the time of the request. */
  readonly cleared?: Of<typeof cleared>;
  /** The start of an alert: the node that has the alert in its journal, and the time of the request. */
  readonly started?: Of<typeof started>;
}

const shapes = { state, claim, result: either(wholeResult, cutResult), job } satisfies Record<
  Kind,
  Shape<unknown>
>;

interface Messages {
  readonly state: StateMessage;
  readonly claim: ClaimMessage;
  readonly result: ResultMessage;
  readonly job: JobMessage;
}

export function isMessage<K extends Kind>(kind: K, value: unknown): value is Messages[K] {
  return isShallow(value, maxDepth) && shapes[kind](value);
}

/** @returns undefined if the message is too long or invalid */
export function readMessage<K extends Kind>(kind: K, payload: Uint8Array | string): Messages[K] | undefined {
  if (Buffer.byteLength(payload) > maxMessageBytes) return undefined;
  try {
    const value: unknown = JSON.parse(
      typeof payload === 'string' ? payload : Buffer.from(payload).toString(),
    );
    return isMessage(kind, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function operationNameOf(command: JobCommand): string {
  return 'alert' in command ? `alert/${command.action}` : command.operation;
}

/** The words of an error: the short reason for people, and what else the whole sentence has. */
export interface ErrorWords {
  readonly reason: string;
  readonly details?: readonly string[];
  /** The whole sentence of an error that was made elsewhere; it begins with the reason. */
  readonly sentence?: string;
}

/**
 * Creates receipts with the same outcome and error for all targets of a job. Without targets, creates one
 * receipt, whose device is the id of the alert or empty.
 */
export function receiptsFor(
  { command, devices }: Pick<JobMessage, 'command' | 'devices'>,
  outcome: string,
  code: string,
  { reason, details = [], sentence }: ErrorWords,
  at: string,
): WireReceipt[] {
  const message = sentence ?? [`${reason}: ${operationNameOf(command)}`, ...details].join('; ');
  const names = 'alert' in command && devices.length === 0 ? [command.alert] : devices;
  return (names.length > 0 ? names : ['']).map((device) => ({
    device,
    address: '',
    operation: operationNameOf(command),
    latencyMs: 0,
    at,
    outcome,
    attempts: 0,
    ...(command.by !== undefined && { by: command.by }),
    error: { code, reason, message },
  }));
}
