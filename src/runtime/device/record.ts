import type { DeviceClient } from '../../client/client';
import { DeviceError } from '../../client/errors';
import type { Identity } from './identity';

/** What is known of a device without asking it. */
export interface DeviceRecord extends Identity {
  /** Whether it answered the last request; undefined before the first. */
  readonly reachable: boolean | undefined;
  /** When it last did what it was asked, ISO 8601; null when it never has. */
  readonly lastSeen: string | null;
  /** Its clock minus ours in milliseconds, by its last answer: to the second. */
  readonly clockOffsetMs: number | undefined;
  /** Milliseconds from the last request's sending to the head of its answer. */
  readonly roundTripMs: number | undefined;
}

/** Whether and when a device was seen. */
export class Sight {
  private reachable: boolean | undefined;
  private seenAt: number | undefined;

  /** @param at epoch milliseconds */
  noteSuccess(at: number): void {
    this.reachable = true;
    this.seenAt = at;
  }

  /** Returns whether contact was lost: the device may be another one when it is back. */
  noteFailure(error: unknown): boolean {
    const code = error instanceof DeviceError ? error.code : undefined;
    if (code === 'AUTHENTICATION' || code === 'REFUSED') this.reachable = true;
    if (code === 'TLS_UNTRUSTED') this.reachable = false;
    if (code !== 'UNREACHABLE' && code !== 'TIMEOUT' && code !== 'PROTOCOL') return false;
    this.reachable = false;
    return true;
  }

  record(identity: Identity, client: DeviceClient | undefined): DeviceRecord {
    return {
      ...identity,
      reachable: this.reachable,
      lastSeen: this.seenAt === undefined ? null : new Date(this.seenAt).toISOString(),
      clockOffsetMs: client?.clockOffsetMs,
      roundTripMs: client?.roundTripMs,
    };
  }
}
