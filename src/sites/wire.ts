import { isRecord, isShallow } from '../json';
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

export type JobCommand =
  | {
      readonly operation: string;
      readonly parameters: Readonly<Record<string, unknown>>;
      readonly by?: string;
    }
  | {
      readonly alert: string;
      readonly action: 'start' | 'clear';
      readonly priority?: number;
      readonly drill?: boolean;
      readonly by?: string;
    }
  | {
      readonly alert: string;
      readonly action: 'acknowledge';
      readonly by: string;
      readonly answer?: string;
    };

export interface JobMessage {
  readonly v: 2;
  readonly id: string;
  readonly site: string;
  /**
   * Time of the request in ISO 8601, for users and to find out which of two requests is later. No deadline
   * depends on this time.
   */
  readonly at: string;
  readonly command: JobCommand;
  /** Targets at the site: names of devices, `group:…` or `tag:…`. */
  readonly devices: readonly string[];
  /** Id of the centre, which survives restarts. */
  readonly centre?: string;
  /** Sequence number, which rises with each request of a centre. */
  readonly seq?: number;
  /** Age of the request at the publication of the job, in milliseconds. */
  readonly ago?: number;
  /** Expiry of the job at its publication, in seconds. */
  readonly expiry?: number;
  /** The instance whose claim the centre has received; a restarted broker might have forgotten the claim. */
  readonly claimed?: string;
  /**
   * The instances that might have claimed the job while the centre was disconnected. Another instance must
   * wait for the claims and results of these instances before it claims a job that is not idempotent.
   */
  readonly maybeClaimedBy?: readonly string[];
  /**
   * The only instances that may claim a job that is not idempotent, so that the centre knows all possible
   * claimants; if absent, any instance may claim the job.
   */
  readonly eligible?: readonly string[];
}

export interface ClaimMessage {
  readonly v: 2;
  readonly instance: string;
  readonly nodeId: string;
  /** Number that differs for each claim of an instance. */
  readonly seq: number;
}

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
  readonly cleared?: {
    readonly alert: string;
    readonly at: string;
    readonly nodeIds?: readonly string[];
    /** Whether the clear was a drill, which ends no real alert. */
    readonly drill?: boolean;
    readonly centre?: string;
    readonly seq?: number;
    /** Age of the request at the publication of the result, in milliseconds. */
    readonly ago?: number;
  };
  /** The start of an alert: the node that has the alert in its journal, and the time of the request. */
  readonly started?: {
    readonly alert: string;
    readonly at: string;
    readonly nodeId: string;
    readonly drill?: boolean;
    readonly centre?: string;
    readonly seq?: number;
    /** Age of the request at the publication of the result, in milliseconds. */
    readonly ago?: number;
  };
}

export interface StateMessage {
  readonly v: 2;
  readonly instance: string;
  /**
   * The id of the node, which stays the same: a new run with this id shows that the previous run has ended.
   */
  readonly nodeId: string;
  readonly rank: number;
  /** Number of the heartbeat. Its echo shows that all earlier messages have arrived. */
  readonly seq: number;
  /** Whether the instance has announced all its claims and results on its current connection. */
  readonly ready: boolean;
  /** Whether the instance is about to end, so that another instance takes over immediately. */
  readonly leaving?: boolean;
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

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string' && value.length <= 2_000;
const isFlag: Check = (value) => typeof value === 'boolean';
const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isAge: Check = (value) => isNumber(value) && Number(value) >= 0;
const isVersion: Check = (value) => value === 2;
const isAnything: Check = () => true;
const isLongText: Check = (value) => typeof value === 'string';
/** The length is limited, since a centre remembers the ids of nodes. */
const isNodeId: Check = (value) => typeof value === 'string' && value.length <= 200;

/**
 * Maximum depth of lists and objects in a message. Deeper values could exhaust the stack of code that reads
 * the message.
 */
export const maxDepth = 32;

/**
 * Creates a check of an object that has the required keys, may have the optional keys, and has no other keys.
 */
function record(needed: Record<string, Check>, others: Record<string, Check> = {}): Check {
  return objectWith(needed, others, false);
}

/** Creates a check like `record` that accepts unknown keys, which a newer version might add. */
function openRecord(needed: Record<string, Check>, others: Record<string, Check> = {}): Check {
  return objectWith(needed, others, true);
}

function objectWith(needed: Record<string, Check>, others: Record<string, Check>, isOpen: boolean): Check {
  const all = new Map(Object.entries({ ...needed, ...others }));
  return (value) =>
    isRecord(value) &&
    Object.keys(needed).every((key) => Object.hasOwn(value, key)) &&
    Object.entries(value).every(([key, entry]) => {
      const check = all.get(key);
      return check ? check(entry) : isOpen && key !== '__proto__';
    });
}

function list(check: Check): Check {
  return (value) => Array.isArray(value) && value.length <= 10_000 && value.every(check);
}

/**
 * The name of an operation is `resource/operation`, or only the resource if its single operation has the same
 * name.
 */
const isOperationName: Check = (value) => isText(value) && String(value).split('/').length <= 2;
/** The name of a person, as in `msg.by`. */
const isPerson: Check = (value) => typeof value === 'string' && value.length >= 1 && value.length <= 200;
const isOperation = record({ operation: isOperationName, parameters: isRecord }, { by: isPerson });
const isAcknowledgement = record(
  { alert: isText, action: (value) => value === 'acknowledge', by: isPerson },
  { answer: (value) => typeof value === 'string' && value.length <= 200 },
);
const isAlert = record(
  { alert: isText, action: (value) => value === 'start' || value === 'clear' },
  { priority: isNumber, drill: isFlag, by: isPerson },
);
const ofReceipt = { device: isText, operation: isText, outcome: isText, attempts: isCount };
const whereAndWhen = { address: isText, latencyMs: isNumber, at: isText };
const optionalInReceipt = {
  wireMs: isNumber,
  statusCode: isNumber,
  response: isAnything,
  note: isLongText,
  drill: isFlag,
  by: isText,
};
const isReceipt = openRecord(
  { ...ofReceipt, ...whereAndWhen },
  { ...optionalInReceipt, error: openRecord({ code: isText, reason: isText, message: isLongText }) },
);
const isCutReceipt = openRecord(ofReceipt, {
  ...whereAndWhen,
  ...optionalInReceipt,
  error: openRecord({ code: isText }, { reason: isText, message: isLongText }),
});
const ofResult = { v: isVersion, instance: isLevel, at: isText };
const optionalInResult = {
  doneBy: list(isLevel),
  cleared: openRecord(
    { alert: isText, at: isText },
    { nodeIds: list(isNodeId), drill: isFlag, centre: isLevel, seq: isCount, ago: isAge },
  ),
  started: openRecord(
    { alert: isText, at: isText, nodeId: isNodeId },
    { drill: isFlag, centre: isLevel, seq: isCount, ago: isAge },
  ),
};
const isWholeResult = openRecord(
  { ...ofResult, receipts: list(isReceipt) },
  { ...optionalInResult, truncated: (value) => value === false },
);
const isCutResult = openRecord(
  { ...ofResult, receipts: list(isCutReceipt), truncated: (value) => value === true },
  optionalInResult,
);

const schemas = {
  state: openRecord(
    { v: isVersion, instance: isLevel, nodeId: isNodeId, rank: isCount, seq: isCount, ready: isFlag },
    { leaving: isFlag },
  ),
  // Unknown keys of a newer version are accepted: an instance that ignores a claim could send a job twice.
  claim: openRecord({ v: isVersion, instance: isLevel, nodeId: isNodeId, seq: isCount }),
  result: (value) => isWholeResult(value) || isCutResult(value),
  job: record(
    {
      v: isVersion,
      id: isLevel,
      site: isLevel,
      at: isText,
      command: (value) => isOperation(value) || isAlert(value) || isAcknowledgement(value),
      devices: list(isText),
    },
    {
      centre: isLevel,
      seq: isCount,
      ago: isAge,
      expiry: isCount,
      claimed: isLevel,
      maybeClaimedBy: list(isLevel),
      eligible: list(isLevel),
    },
  ),
} satisfies Record<Kind, Check>;

interface Messages {
  readonly state: StateMessage;
  readonly claim: ClaimMessage;
  readonly result: ResultMessage;
  readonly job: JobMessage;
}

export function isMessage<K extends Kind>(kind: K, value: unknown): value is Messages[K] {
  return isShallow(value, maxDepth) && schemas[kind](value);
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
