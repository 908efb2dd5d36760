import type { Text } from '../../catalogue/localized-message';
import { operation } from '../../catalogue/operation-name';
import { isPath, isSegment } from '../../catalogue/paths';
import type { WireRequest } from '../../client/call';
import type { Answer, DeviceClient } from '../../client/client';
import { DeviceError, type ErrorCode } from '../../client/errors';
import { type About, aboutIn, type Identity, identityIn } from './identity';

const maxNames = 200;

const maxNameLength = 200;

const named = /^\/api\/(settings|files|file-md5sum)\/([^?]+)/;

export interface Answered {
  readonly settings: readonly string[];
  readonly folders: readonly string[];
}

const nothing: Answered = { settings: [], folders: [] };

/**
 * Adds the setting or the folder of a request to the known names, if the response confirms the name.
 * @param before the known names; undefined before the first name
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

/** Decodes a name. A name with an invalid encoding, which a user can enter, stays unchanged. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const about = operation('info/about');

/** HTTP status of a busy device. This status does not mean that the device refuses the request. */
const unavailable = 503;

/**
 * The identity of a device: the values that the user has set, and otherwise the values that the device
 * reports.
 */
export class Recognition {
  about: About = {};
  known: Identity;
  /**
   * Whether the identity must still be read: the user has not set both model and firmware, and no read was
   * tried since the identity became open.
   */
  isOpen = false;
  readonly isModelSet: boolean;
  /**
   * Whether the next success makes the identity open (see `isOpen`), because a read has failed, or because
   * the device was offline, restarts or gets new firmware.
   */
  #askAfterSuccess = false;

  /** @param byHand the identity that the user set, which overrides the identity from the device */
  constructor(private readonly byHand: Identity) {
    this.known = byHand;
    this.isModelSet = byHand.model !== undefined;
    this.forget();
  }

  /**
   * Reads the identity from the device. Never rejects: without a usable response, only the identity that the
   * user set remains.
   * @param readAbout reads the about record (docs/interface.md, section 2.4)
   * @returns the error of the request; undefined after a success or a refusal
   */
  async ask(readAbout: () => Promise<Answer>): Promise<unknown> {
    try {
      const { body } = await readAbout();
      this.record(body);
      return undefined;
    } catch (error) {
      this.record(undefined);
      // Older firmware refuses `about`. After any other error, the next success makes the identity open.
      if (error instanceof DeviceError && error.code === 'REFUSED' && error.statusCode !== unavailable)
        return undefined;
      this.#askAfterSuccess = true;
      return error;
    }
  }

  /**
   * Stores the identity from an about record (docs/interface.md, section 2.4). With undefined, only the
   * identity that the user set remains.
   */
  record(body: unknown): void {
    this.about = aboutIn(body);
    this.known = { ...identityIn(body), ...this.byHand };
    this.isOpen = false;
    this.#askAfterSuccess = false;
  }

  /**
   * Records a success of the device. An about record updates the identity. After `recordChange` or a failed
   * read, any other success makes the identity open.
   * @param answer body of the response
   */
  recordSuccess(route: string, answer: unknown): void {
    if (route === about.route) this.record(answer);
    if (!this.#askAfterSuccess) return;
    this.#askAfterSuccess = false;
    this.forget();
  }

  /**
   * Makes the identity open again after the next success. Called when the device restarts, gets new firmware
   * or was offline, since another device might answer next.
   */
  recordChange(): void {
    this.#askAfterSuccess = true;
  }

  /** Makes the identity open, unless the user has set model and firmware. */
  forget(): void {
    this.isOpen = !this.isModelSet || this.byHand.firmware === undefined;
  }
}

export interface DeviceRecord extends Identity {
  /** Whether the device is online; undefined if unknown. */
  readonly reachable: boolean | undefined;
  readonly isRejected: boolean;
  readonly lastSeen: string | null;
  /**
   * The device's clock minus the clock of Node-RED, in milliseconds, precise to the second; undefined before
   * the first response.
   */
  readonly clockOffsetMs: number | undefined;
  readonly roundTripMs: number | undefined;
}

interface LastReceipt {
  readonly operation: string;
  readonly outcome: string;
  readonly at: string;
}

export interface LastError extends Pick<LastReceipt, 'operation' | 'at'> {
  readonly code: string;
  /** The short reason for people. */
  readonly reason: string;
  readonly localizedReason?: Text | undefined;
}

type Wrong = Pick<LastError, 'code' | 'reason' | 'localizedReason'>;

export class DeviceStatus {
  /** Number of updates. The overview compares this number instead of listening for changes. */
  revision = 0;
  last: LastReceipt | undefined;
  lastError: LastError | undefined;
  answered: Answered | undefined;
  /**
   * The number of receipts of each outcome since Node-RED started or the location of the device changed;
   * undefined before the first receipt.
   */
  outcomes: Readonly<Record<string, number>> | undefined;
  private reachable: boolean | undefined;
  private isRejected = false;
  private seenAt: number | undefined;
  private lostAt: number | undefined;

  /**
   * Copies the status of the device that a deploy has replaced at the same location.
   * @param isSameLogin if false, the record of a rejected login is not copied
   */
  goOnFrom(before: DeviceStatus, isSameLogin: boolean): void {
    this.last = before.last;
    this.lastError = before.lastError;
    this.answered = before.answered;
    this.outcomes = before.outcomes;
    this.reachable = before.reachable;
    this.seenAt = before.seenAt;
    this.lostAt = before.lostAt;
    this.isRejected = before.isRejected && isSameLogin;
  }

  /**
   * Time since which the device is offline, in epoch milliseconds; undefined if the device is online or its
   * state is unknown.
   */
  get awaySince(): number | undefined {
    return this.reachable === false ? this.lostAt : undefined;
  }

  /**
   * Records a receipt without its response, which can be long.
   * @param localizedReason the reason of the error, for translation
   */
  recordReceipt(
    {
      operation,
      outcome,
      at,
      error,
    }: LastReceipt & { readonly error?: { readonly code: ErrorCode; readonly reason: string } },
    localizedReason: Text | undefined,
  ): void {
    this.revision += 1;
    this.last = { operation, outcome, at };
    this.outcomes = { ...this.outcomes, [outcome]: (this.outcomes?.[outcome] ?? 0) + 1 };
    // An unsupported operation is not an error of the device.
    if (error && outcome !== 'skipped') this.recordError(operation, { ...error, localizedReason }, at);
  }

  recordError(operation: string, { code, reason, localizedReason }: Wrong, at: string): void {
    this.revision += 1;
    this.lastError = { operation, at, code, reason, localizedReason };
  }

  recordSuccess(at: number, request: WireRequest, body: unknown): void {
    this.answered = answeredWith(this.answered, request, body);
    this.revision += 1;
    this.reachable = true;
    this.isRejected = false;
    this.seenAt = at;
  }

  /**
   * Records a failed request.
   * @param at epoch milliseconds
   * @returns whether the device gave no valid response at all. The address of such a device might later
   * belong to another device
   */
  recordFailure(error: unknown, at: number): boolean {
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
    this.isRejected = false;
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
