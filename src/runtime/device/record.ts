import type { Text } from '../../catalogue/localized-message';
import { operation } from '../../catalogue/named';
import { isPath, isSegment } from '../../catalogue/paths';
import type { WireRequest } from '../../client/call';
import type { Answer, DeviceClient } from '../../client/client';
import { DeviceError, type ErrorCode } from '../../client/errors';
import { type About, aboutIn, type Identity, identityIn } from './identity';

/** The maximum number of names that are kept of each kind; the oldest are dropped first. */
const maxNames = 200;

/** A longer one is no name that a person would choose. */
const maxNameLength = 200;

/** A request for one setting or one file, and its name. */
const named = /^\/api\/(settings|files|file-md5sum)\/([^?]+)/;

/** Which settings and folders a device has answered for: their names, and never what was in them. */
export interface Answered {
  readonly settings: readonly string[];
  readonly folders: readonly string[];
}

const nothing: Answered = { settings: [], folders: [] };

/**
 * What a device has answered for after one answer more. Most devices are never asked for any of it.
 * @param body what the device answered
 */
export function answeredWith(
  before: Answered | undefined,
  { method, path }: WireRequest,
  body: unknown,
): Answered | undefined {
  if (method !== 'GET' && method !== 'PUT') return before;
  const [, kind, encoded = ''] = named.exec(path) ?? [];
  if (kind === undefined) return before;
  const name = decoded(encoded);
  const answer: Readonly<Record<string, unknown>> = Object(body);
  const { settings, folders } = before ?? nothing;
  if (kind === 'settings') {
    if (!Object.hasOwn(answer, name) || !isSegment(name)) return before;
    return { settings: withName(settings, name), folders };
  }
  const folder = Array.isArray(answer.filelist) ? name : name.slice(0, Math.max(name.lastIndexOf('/'), 0));
  return isPath(folder) ? { settings, folders: withName(folders, folder) } : before;
}

function withName(names: readonly string[], name: string): readonly string[] {
  if (name.length > maxNameLength || names.includes(name)) return names;
  return [...names.slice(1 - maxNames), name];
}

/** A request that was written by hand may hold anything. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The question who a device is (section 4.1). */
export const about = operation('info/about');

/** The device says it is busy, not that it will not say. */
const unavailable = 503;

/**
 * The identity of a device, as set by a user or read from the device, and whether to read it again. A device that
 * does not answer, or whose model the document does not name, stays unknown and is sent everything: a device that is
 * newer than the document must not be locked out.
 */
export class Recognition {
  /** As the device said when it was last asked. */
  about: About = {};
  #known: Identity;
  #isSettled = false;
  /** Contact was lost, or the device restarts: after its next success it may be another one. */
  #askAfterSuccess = false;

  /** @param byHand what a person set: it wins */
  constructor(private readonly byHand: Identity) {
    this.#known = byHand;
  }

  /** Without asking. */
  get known(): Identity {
    return this.#known;
  }

  /** A person has set the model. */
  get isModelSet(): boolean {
    return this.byHand.model !== undefined;
  }

  /** Whether asking may tell something new. */
  get isOpen(): boolean {
    const isComplete = this.byHand.model !== undefined && this.byHand.firmware !== undefined;
    return !isComplete && !this.#isSettled;
  }

  /**
   * Asks the device who it is. Never rejects: no usable answer leaves it unknown.
   * @param readAbout reads the about record (section 2.4)
   * @returns why it could not be asked, where it could not
   */
  async ask(readAbout: () => Promise<Answer>): Promise<unknown> {
    try {
      const { body } = await readAbout();
      this.note(body);
      return undefined;
    } catch (error) {
      this.note(undefined);
      // A refusal is an answer: older firmware has no `about`. Anything else may be over by the next success.
      if (error instanceof DeviceError && error.code === 'REFUSED' && error.statusCode !== unavailable)
        return undefined;
      this.#askAfterSuccess = true;
      return error;
    }
  }

  /** Takes what the device has said of itself just now, whoever asked it: its about record (section 2.4). */
  note(body: unknown): void {
    this.about = aboutIn(body);
    this.#known = { ...identityIn(body), ...this.byHand };
    this.#isSettled = true;
    this.#askAfterSuccess = false;
  }

  /**
   * The device did something.
   * @param route what it was asked; if that was who it is, nobody needs to ask again
   * @param answer what it said
   */
  noteSuccess(route: string, answer: unknown): void {
    if (route === about.route) this.note(answer);
    if (!this.#askAfterSuccess) return;
    this.#askAfterSuccess = false;
    this.#isSettled = false;
  }

  /** The device restarts, gets new firmware, or was not there: after its next success it may be another one. */
  noteChange(): void {
    this.#askAfterSuccess = true;
  }

  /** Makes the next question a request again. */
  forget(): void {
    this.#isSettled = false;
  }
}

/** What is known of a device without asking it. */
export interface DeviceRecord extends Identity {
  /** Whether it answered the last request; undefined before the first. */
  readonly reachable: boolean | undefined;
  /** Whether its last answer rejected the login. */
  readonly isRejected: boolean;
  /** When it last did what it was asked, ISO 8601; null when it never has. */
  readonly lastSeen: string | null;
  /** Its clock minus ours in milliseconds, by its last answer: to the second. */
  readonly clockOffsetMs: number | undefined;
  /** Milliseconds from the last request's sending to the head of its answer. */
  readonly roundTripMs: number | undefined;
}

/** What came of the last message: of a receipt so much as a list shows. */
interface LastReceipt {
  /** For example `door/unlock`. */
  readonly operation: string;
  readonly outcome: string;
  /** ISO 8601. */
  readonly at: string;
}

/** The last thing that went wrong. */
export interface LastError extends Pick<LastReceipt, 'operation' | 'at'> {
  readonly code: string;
  readonly message: string;
  readonly said?: Text | undefined;
}

/** What went wrong. */
type Wrong = Pick<LastError, 'code' | 'message' | 'said'>;

/** Whether and when a device was seen, and what came of what was asked of it. */
export class DeviceStatus {
  /** Another number after each change, so that whoever looks finds what is new without being told. */
  revision = 0;
  last: LastReceipt | undefined;
  lastError: LastError | undefined;
  /** For a dialog to offer. */
  answered: Answered | undefined;
  private reachable: boolean | undefined;
  private isRejected = false;
  private seenAt: number | undefined;
  private lostAt: number | undefined;

  /**
   * A deploy has replaced the device, which is still at the same place: what was seen of it counts.
   * @param isSameLogin whether it is asked with the same login
   */
  goOnFrom(before: DeviceStatus, isSameLogin: boolean): void {
    this.last = before.last;
    this.lastError = before.lastError;
    this.answered = before.answered;
    this.reachable = before.reachable;
    this.seenAt = before.seenAt;
    this.lostAt = before.lostAt;
    this.isRejected = before.isRejected && isSameLogin;
  }

  /** Since when it has not answered, in epoch milliseconds; undefined while it does. */
  get awaySince(): number | undefined {
    return this.reachable === false ? this.lostAt : undefined;
  }

  /**
   * Keeps nothing of the device's response, which may be long.
   * @param reason the sentence of its error, for other languages
   */
  noteReceipt(
    {
      operation,
      outcome,
      at,
      error,
    }: LastReceipt & { readonly error?: { readonly code: ErrorCode; readonly message: string } },
    reason: Text | undefined,
  ): void {
    this.revision += 1;
    this.last = { operation, outcome, at };
    // What a model lacks went wrong nowhere.
    if (error && outcome !== 'skipped') this.noteError(operation, { ...error, said: reason }, at);
  }

  noteError(operation: string, { code, message, said }: Wrong, at: string): void {
    this.revision += 1;
    this.lastError = { operation, at, code, message, said };
  }

  /**
   * @param at epoch milliseconds
   * @param body what was answered
   */
  noteSuccess(at: number, request: WireRequest, body: unknown): void {
    this.answered = answeredWith(this.answered, request, body);
    this.revision += 1;
    this.reachable = true;
    this.isRejected = false;
    this.seenAt = at;
  }

  /**
   * Returns whether contact was lost: the device may be another one when it is back.
   * @param at epoch milliseconds
   */
  noteFailure(error: unknown, at: number): boolean {
    this.revision += 1;
    const code = error instanceof DeviceError ? error.code : undefined;
    if (code === 'AUTHENTICATION' || code === 'REFUSED') {
      this.reachable = true;
      this.isRejected = code === 'AUTHENTICATION';
    }
    const isLost = code === 'UNREACHABLE' || code === 'TIMEOUT' || code === 'PROTOCOL';
    if (!isLost && code !== 'TLS_UNTRUSTED') return false;
    if (this.reachable !== false) this.lostAt = at;
    this.reachable = false;
    return isLost;
  }

  record(identity: Identity, client: DeviceClient | undefined): DeviceRecord {
    return {
      ...identity,
      reachable: this.reachable,
      isRejected: this.isRejected,
      lastSeen: this.seenAt === undefined ? null : new Date(this.seenAt).toISOString(),
      clockOffsetMs: client?.clockOffsetMs,
      roundTripMs: client?.roundTripMs,
    };
  }
}
