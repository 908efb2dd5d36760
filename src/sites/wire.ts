import { isRecord } from '../json';
/** What goes over the broker between a centre and its sites (docs/contract.md 2.8), and the check of it. */

/** No message is longer, in bytes. */
export const maxMessageBytes = 256 * 1024;

/** How long a result stays on the broker, in seconds. */
export const resultLastsSeconds = 3_600;

/** How long the last result of a clear stays there, in seconds: who was away for long has to clear, too. */
export const clearLastsSeconds = 31_536_000;

/** In the order in which a site subscribes to them: who lives and what was done, before what is to be done. */
export const kinds = ['state', 'result', 'claim', 'job'] as const;
export type Kind = (typeof kinds)[number];

export interface Topic {
  readonly site: string;
  readonly kind: Kind;
  /** A job's id, or an instance. */
  readonly id: string;
}

/** What a site is to do. */
export type JobCommand =
  | {
      readonly noun: string;
      readonly operation: string;
      readonly parameters: Readonly<Record<string, unknown>>;
    }
  | {
      readonly alert: string;
      readonly action: 'start' | 'clear';
      readonly priority?: number;
      readonly drill?: boolean;
    };

export interface JobMessage {
  readonly v: 1;
  readonly id: string;
  readonly site: string;
  /** When the centre sent it, ISO 8601: for people, and to tell the later of two. No deadline depends on it. */
  readonly at: string;
  readonly work: JobCommand;
  /** Names, `group:…` or `tag:…` at the site. */
  readonly devices: readonly string[];
  /** The centre, over all its lives, and the number of the job: what was asked later has a higher one. */
  readonly centre?: string;
  readonly seq?: number;
  /** How long ago it was asked when it was published, in milliseconds, and the expiry it was published with. */
  readonly ago?: number;
  readonly expiry?: number;
  /** The instance that the centre has seen claim the job: a restarted broker might have forgotten it. */
  readonly claimed?: string;
  /**
   * The instances that might have claimed the job when the centre lost its connection: these have to be heard first.
   */
  readonly lived?: readonly string[];
  /** Of what must not be done twice: only these may claim it, so that the centre can name them in `lived`. */
  readonly heard?: readonly string[];
}

export interface ClaimMessage {
  readonly v: 1;
  readonly instance: string;
  readonly place: string;
  /** Tells an instance's own claims apart. */
  readonly n: number;
}

/** One receipt, as flows know it. */
export interface WireReceipt {
  readonly device: string;
  readonly address: string;
  readonly operation: string;
  readonly outcome: string;
  readonly attempts: number;
  readonly latencyMs: number;
  readonly wireMs?: number;
  readonly at: string;
  readonly error?: { readonly code: string; readonly message: string };
  readonly [more: string]: unknown;
}

export interface ResultMessage {
  readonly v: 1;
  readonly instance: string;
  readonly at: string;
  readonly receipts: readonly WireReceipt[];
  /**
   * It was too long for the broker: its receipts have no more than `device`, `operation`, `outcome`, `attempts`,
   * `error.code`.
   */
  readonly truncated?: boolean;
  /** Of what every instance does: who has done it so far, in which of their lives, and when what was asked for. */
  readonly by?: readonly string[];
  readonly cleared?: {
    readonly alert: string;
    readonly at: string;
    readonly places?: readonly string[];
    /** It ended no alert that was on in earnest. */
    readonly drill?: boolean;
    readonly centre?: string;
    readonly seq?: number;
    /** How long ago it was asked when this was published, in milliseconds. */
    readonly ago?: number;
  };
  /** Of the start of an alert: in whose journal it stands, and when it was asked for. */
  readonly started?: {
    readonly alert: string;
    readonly at: string;
    readonly place: string;
    readonly centre?: string;
    readonly seq?: number;
    /** How long ago it was asked when this was published, in milliseconds. */
    readonly ago?: number;
  };
}

/** A sign of life. */
export interface StateMessage {
  readonly v: 1;
  readonly instance: string;
  /** The same over all lives of one node: a new life tells that the last one is over. */
  readonly place: string;
  readonly rank: number;
  /** Counts an instance's signs of life: what comes back tells what was said before it has come, too. */
  readonly n: number;
  /** It has said all that it has claimed and done since it is connected. */
  readonly ready: boolean;
  readonly leaving?: boolean;
}

export function topicOf(prefix: string, { site, kind, id }: Topic): string {
  return `${prefix}/${site}/${kind}/${id}`;
}

/** Undefined for a topic that is none of ours. */
export function readTopic(prefix: string, topic: string): Topic | undefined {
  if (!topic.startsWith(`${prefix}/`)) return undefined;
  const [site, kind, id, ...more] = topic.slice(prefix.length + 1).split('/');
  const known = kinds.find((one) => one === kind);
  return site && known && id && more.length === 0 ? { site, kind: known, id } : undefined;
}

/** Whether a text can be one level of a topic: a site's name, an id. */
export function isLevel(text: unknown): text is string {
  if (typeof text !== 'string' || text === '' || Buffer.byteLength(text) > 128) return false;
  return [...text].every(
    (character) => character > '\u001f' && character !== '\u007f' && !'/+#'.includes(character),
  );
}

/** Whether a text can begin a topic: levels with slashes between them. */
export function isPrefix(text: unknown): text is string {
  return typeof text === 'string' && !text.startsWith('$') && text.split('/').every(isLevel);
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string' && value.length <= 2_000;
const isFlag: Check = (value) => typeof value === 'boolean';
const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isAge: Check = (value) => isNumber(value) && Number(value) >= 0;
const isOne: Check = (value) => value === 1;
const isAnything: Check = () => true;
const isLongText: Check = (value) => typeof value === 'string';
/** The name of a place: short, since a centre remembers it. */
const isPlace: Check = (value) => typeof value === 'string' && value.length <= 200;

/** Most levels of lists and objects in a message. Code that handles a deeper value later can recurse too far. */
const maxDepth = 32;

/** Whether a value has at most so many levels. Never goes deeper than that itself. */
export function isShallow(value: unknown, levels = maxDepth): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((one) => isShallow(one, levels - 1));
}

/** An object with these keys, perhaps some of the others, and nothing else. */
function record(needed: Record<string, Check>, others: Record<string, Check> = {}): Check {
  return objectWith(needed, others, false);
}

/** The same, where a newer version can have added keys that this version does not know. */
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

const isOperation = record({ noun: isText, operation: isText, parameters: isRecord });
const isAlert = record(
  { alert: isText, action: (value) => value === 'start' || value === 'clear' },
  { priority: isNumber, drill: isFlag },
);
const ofReceipt = { device: isText, operation: isText, outcome: isText, attempts: isCount };
const whereAndWhen = { address: isText, latencyMs: isNumber, at: isText };
const perhapsOfReceipt = {
  wireMs: isNumber,
  statusCode: isNumber,
  response: isAnything,
  note: isLongText,
  drill: isFlag,
};
const isReceipt = openRecord(
  { ...ofReceipt, ...whereAndWhen },
  { ...perhapsOfReceipt, error: openRecord({ code: isText, message: isLongText }) },
);
const isCutReceipt = openRecord(ofReceipt, {
  ...whereAndWhen,
  ...perhapsOfReceipt,
  error: openRecord({ code: isText }, { message: isLongText }),
});
const ofResult = { v: isOne, instance: isLevel, at: isText };
const perhapsOfResult = {
  by: list(isLevel),
  cleared: openRecord(
    { alert: isText, at: isText },
    { places: list(isPlace), drill: isFlag, centre: isLevel, seq: isCount, ago: isAge },
  ),
  started: openRecord(
    { alert: isText, at: isText, place: isPlace },
    { centre: isLevel, seq: isCount, ago: isAge },
  ),
};
const isWholeResult = openRecord(
  { ...ofResult, receipts: list(isReceipt) },
  { ...perhapsOfResult, truncated: (value) => value === false },
);
const isCutResult = openRecord(
  { ...ofResult, receipts: list(isCutReceipt), truncated: (value) => value === true },
  perhapsOfResult,
);

const schemas = {
  state: openRecord(
    { v: isOne, instance: isLevel, place: isPlace, rank: isCount, n: isCount, ready: isFlag },
    { leaving: isFlag },
  ),
  // A claim that is not heard is a device that is written to twice, so a newer version may say more here, too.
  claim: openRecord({ v: isOne, instance: isLevel, place: isPlace, n: isCount }),
  result: (value) => isWholeResult(value) || isCutResult(value),
  job: record(
    {
      v: isOne,
      id: isLevel,
      site: isLevel,
      at: isText,
      work: (value) => isOperation(value) || isAlert(value),
      devices: list(isText),
    },
    {
      centre: isLevel,
      seq: isCount,
      ago: isAge,
      expiry: isCount,
      claimed: isLevel,
      lived: list(isLevel),
      heard: list(isLevel),
    },
  ),
} satisfies Record<Kind, Check>;

interface Messages {
  readonly state: StateMessage;
  readonly claim: ClaimMessage;
  readonly result: ResultMessage;
  readonly job: JobMessage;
}

/** Whether a value is a message of this kind. */
export function isMessage<K extends Kind>(kind: K, value: unknown): value is Messages[K] {
  return isShallow(value) && schemas[kind](value);
}

/** Reads a message; undefined for what the schema refuses. */
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

/** For example `door/unlock`, or `alert/start`. */
export function operationNameOf(work: JobCommand): string {
  return 'alert' in work ? `alert/${work.action}` : `${work.noun}/${work.operation}`;
}

/** Receipts for a job that no device has answered: one for each that was named. */
export function receiptsFor(
  { work, devices }: Pick<JobMessage, 'work' | 'devices'>,
  outcome: string,
  code: string,
  message: string,
  at: string,
): WireReceipt[] {
  const names = 'alert' in work && devices.length === 0 ? [work.alert] : devices;
  return (names.length > 0 ? names : ['']).map((device) => ({
    device,
    address: '',
    operation: operationNameOf(work),
    latencyMs: 0,
    at,
    outcome,
    attempts: 0,
    error: { code, message: `${operationNameOf(work)}: ${message}` },
  }));
}
