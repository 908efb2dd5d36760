import type { Device } from '../device/device';
import type { Target } from '../device/targets';
import type { ConcurrencyLimiter } from '../message/concurrency-limiter';
import type { Receipt } from '../message/receipt';
import type { Audio } from './audio';
import type { AnnounceSettings } from './properties';

/** The start of the keys in the journal of what must be put back. */
export const changesPrefix = 'announce/back/';
/** The start of the keys in the journal of announcements whose end was not told. */
export const openPrefix = 'announce/open/';

export interface NamedDevice {
  readonly id: string;
  readonly name: string;
  /** Location of the device; undefined if the location is unknown. */
  readonly where?: string | undefined;
}

/**
 * Returns the key of the line of a device: the same key for all devices with the same location, and a device's
 * own id if its location is unknown.
 */
export function keyOf({ id, where = id }: Pick<NamedDevice, 'id' | 'where'>): string {
  return where;
}

export function namedOf({ id, name, where }: Pick<Device, 'id' | 'name' | 'where'>): NamedDevice {
  return { id, name, ...(where !== undefined && { where }) };
}

export interface AnnouncingNode {
  readonly id: string;
  readonly name: string;
}

export interface AnnounceEvent {
  readonly id: string;
  readonly event: string;
  /** Absent for the event `done`. */
  readonly device?: string;
  readonly durationMs: number | null;
  /** The short sentence of the error, or the note; null if neither exists. */
  readonly reason: string | null;
  readonly code: string | null;
}

/** The node and the person that asked for something, and the time. */
export interface Asked {
  readonly node: AnnouncingNode;
  readonly by: string | undefined;
  /** Time of arrival on the monotonic clock, in milliseconds. */
  readonly since: number;
}

export interface PrepareRequest extends Asked {
  readonly settings: AnnounceSettings;
  readonly targets: readonly Target[];
  /** Shared by the requests to all targets; absent if their number has no limit. */
  readonly limiter?: ConcurrencyLimiter | undefined;
  readonly audio: Audio | string;
}

export interface AnnounceRequest extends PrepareRequest {
  readonly arrival: number;
  /**
   * Called once for each target, after `announce` has returned.
   * @param isStopped whether the operation `stop` of the same node has taken the target out
   */
  onReceipt(index: number, receipt: Receipt, isStopped?: boolean): void;
  /**
   * If it is absent, the announcement is lost if Node-RED is killed. Otherwise, its end is told after the
   * restart.
   */
  onEvent?(event: AnnounceEvent): void;
}

/** Counts the requests at one device, for the receipt. */
export class RequestCount {
  attempts = 0;
  wireMs: number | undefined;
  statusCode: number | undefined;

  note({ attempts, wireMs, statusCode }: Receipt): void {
    this.attempts += attempts;
    this.wireMs = wireMs ?? this.wireMs;
    this.statusCode = statusCode ?? this.statusCode;
  }
}

export interface Prepared {
  readonly plays: boolean;
  readonly shows: boolean;
  /** Name of the device setting that holds the volume. */
  readonly setting: string;
  /** Length of the chime, in milliseconds; undefined if there is no chime. */
  readonly chimeMs?: number | undefined;
  /** Length of one play of the audio, in milliseconds. */
  readonly audioMs: number;
}

/** The alerts that hold outputs of a device: each function returns the name of one, undefined if there is none. */
export interface Holds {
  /** The tone, the call or the emergency alert. */
  sound(key: string): string | undefined;
  /** The screen or the text. */
  screen(key: string): string | undefined;
  text(key: string): string | undefined;
}
