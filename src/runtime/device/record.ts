import type { Text } from '../../catalogue/localized-message';
import { operation } from '../../catalogue/named';
import { isPath, isSegment } from '../../catalogue/paths';
import type { WireRequest } from '../../client/call';
import type { Answer, DeviceClient } from '../../client/client';
import { DeviceError, type ErrorCode } from '../../client/errors';
import { type About, aboutIn, type Identity, identityIn } from './identity';

/** Maximum number of names that are kept of each kind; the oldest names are dropped first. */
const maxNames = 200;

/** Maximum length of a name that is kept, in characters. */
const maxNameLength = 200;

/** A request for one setting or one file; the last group is its name. */
const named = /^\/api\/(settings|files|file-md5sum)\/([^?]+)/;

/** The names of settings and folders in the responses of a device. Their contents are not kept. */
export interface Answered {
  readonly settings: readonly string[];
  readonly folders: readonly string[];
}

const nothing: Answered = { settings: [], folders: [] };

/**
 * Adds the setting or the folder of a response to the known names.
 * @param before undefined for most devices, which are never asked for settings or files
 * @param body of the response
 * @returns `before` if the response shows no new name
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

/** Decodes a name. A request that the user wrote can hold an invalid encoding. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The operation that reads the identity of a device (section 4.1). */
export const about = operation('info/about');

/** The status of a busy device, which does not count as a refusal. */
const unavailable = 503;

/**
 * The identity of a device, as set by a user or read from the device, and whether to read it again. If a
 * device does not answer, or if its model is not in the interface document, the identity stays unknown. A
 * device with an unknown identity is sent everything, because a device that is newer than the document must
 * not be locked out.
 */
export class Recognition {
  /** The device's own data, as last read. */
  about: About = {};
  #known: Identity;
  #isSettled = false;
  /**
   * Whether to read the identity after the next success: the device went offline or restarts, and its address
   * might belong to another device then.
   */
  #askAfterSuccess = false;

  /** @param byHand the identity that the user set, which overrides the identity from the device */
  constructor(private readonly byHand: Identity) {
    this.#known = byHand;
  }

  /** The identity as known without a request. */
  get known(): Identity {
    return this.#known;
  }

  get isModelSet(): boolean {
    return this.byHand.model !== undefined;
  }

  /** Whether the identity is still to be read: the user has not set all of it, and it was not read yet. */
  get isOpen(): boolean {
    const isComplete = this.byHand.model !== undefined && this.byHand.firmware !== undefined;
    return !isComplete && !this.#isSettled;
  }

  /**
   * Reads the identity from the device. Never rejects: without a usable response the identity stays unknown.
   * @param readAbout reads the about record (section 2.4)
   * @returns the error if the device could not be asked
   */
  async ask(readAbout: () => Promise<Answer>): Promise<unknown> {
    try {
      const { body } = await readAbout();
      this.note(body);
      return undefined;
    } catch (error) {
      this.note(undefined);
      // A refusal is a response: older firmware has no `about`. After any other error, the identity can be
      // read again after the next success.
      if (error instanceof DeviceError && error.code === 'REFUSED' && error.statusCode !== unavailable)
        return undefined;
      this.#askAfterSuccess = true;
      return error;
    }
  }

  /** Takes over the about record of a response, no matter which call read it (section 2.4). */
  note(body: unknown): void {
    this.about = aboutIn(body);
    this.#known = { ...identityIn(body), ...this.byHand };
    this.#isSettled = true;
    this.#askAfterSuccess = false;
  }

  /**
   * Called after each success of the device.
   * @param route of the request; an about record in the response saves a request
   * @param answer the body of the response
   */
  noteSuccess(route: string, answer: unknown): void {
    if (route === about.route) this.note(answer);
    if (!this.#askAfterSuccess) return;
    this.#askAfterSuccess = false;
    this.#isSettled = false;
  }

  /**
   * Called when the device restarts, gets new firmware or was offline: after the next success it might be another
   * device.
   */
  noteChange(): void {
    this.#askAfterSuccess = true;
  }

  /** Lets the next call of `identity` read the identity from the device again. */
  forget(): void {
    this.#isSettled = false;
  }
}

/** The status of a device as known without a request. */
export interface DeviceRecord extends Identity {
  /** Whether the device answered the last request; undefined before the first request. */
  readonly reachable: boolean | undefined;
  /** Whether the last response of the device rejected the login. */
  readonly isRejected: boolean;
  /** The time of the last success as in ISO 8601; null before the first success. */
  readonly lastSeen: string | null;
  /**
   * The device's clock minus the clock of Node-RED, in milliseconds, precise to the second; undefined before
   * the first response.
   */
  readonly clockOffsetMs: number | undefined;
  /**
   * The time from the last request to the head of its response, in milliseconds; undefined before the first
   * response.
   */
  readonly roundTripMs: number | undefined;
}

/** The parts of the last receipt that a list shows. */
interface LastReceipt {
  /** For example `door/unlock`. */
  readonly operation: string;
  readonly outcome: string;
  /** The time as in ISO 8601. */
  readonly at: string;
}

/** The last error of a device, as the sidebar shows it. */
export interface LastError extends Pick<LastReceipt, 'operation' | 'at'> {
  readonly code: string;
  readonly message: string;
  readonly said?: Text | undefined;
}

/** The parts of an error that the sidebar shows. */
type Wrong = Pick<LastError, 'code' | 'message' | 'said'>;

/** The connection status of a device, its last receipt and its last error. */
export class DeviceStatus {
  /** The number of updates, by which the sidebar finds changes without a listener. */
  revision = 0;
  last: LastReceipt | undefined;
  lastError: LastError | undefined;
  /** Names of settings and folders that a dialog suggests. */
  answered: Answered | undefined;
  private reachable: boolean | undefined;
  private isRejected = false;
  private seenAt: number | undefined;
  private lostAt: number | undefined;

  /**
   * Takes over the status of the device that a deploy has replaced at the same location.
   * @param isSameLogin whether the login is the same
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

  /** The time since which the device is offline, in epoch milliseconds; undefined while it is online. */
  get awaySince(): number | undefined {
    return this.reachable === false ? this.lostAt : undefined;
  }

  /**
   * Records the result of a receipt, without the response, which can be long.
   * @param reason the sentence of the error, for other languages
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
    // An unsupported operation is not an error of the device.
    if (error && outcome !== 'skipped') this.noteError(operation, { ...error, said: reason }, at);
  }

  noteError(operation: string, { code, message, said }: Wrong, at: string): void {
    this.revision += 1;
    this.lastError = { operation, at, code, message, said };
  }

  /**
   * Records a successful request.
   * @param at epoch milliseconds
   * @param body of the response
   */
  noteSuccess(at: number, request: WireRequest, body: unknown): void {
    this.answered = answeredWith(this.answered, request, body);
    this.revision += 1;
    this.reachable = true;
    this.isRejected = false;
    this.seenAt = at;
  }

  /**
   * Records a failed request. Returns whether the device went offline, so that its address might later belong
   * to another device.
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
