import type { Text } from '../../catalogue/saying';
import type { WireRequest } from '../../client/call';
import type { DeviceClient } from '../../client/client';
import { DeviceError, type ErrorCode } from '../../client/errors';
import { type Answered, answeredWith } from './answered';
import type { Identity } from './identity';

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
export interface LastReceipt {
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
export class Sight {
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
  goOnFrom(before: Sight, isSameLogin: boolean): void {
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
