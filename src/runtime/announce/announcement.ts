export interface NamedDevice {
  readonly id: string;
  readonly name: string;
  /** Location of the device; undefined if the location is unknown. */
  readonly where?: string;
}

/**
 * Returns the same key for all devices with the same location, and a device's own id if its location is
 * unknown.
 */
export function lineKeyOf({ id, where = id }: Pick<NamedDevice, 'id'> & { readonly where?: string }): string {
  return where;
}

export const overlaps = ['queue', 'replace', 'skip'] as const;
export type Overlap = (typeof overlaps)[number];

export interface Announcement {
  readonly id: string;
  /** Number in the order of arrival: an earlier announcement has a lower number. */
  readonly arrival: number;
  readonly node: { readonly id: string; readonly name: string };
  /** From 0 to 10; 10 is the highest priority. */
  readonly priority: number;
  readonly overlap: Overlap;
  /** Number of plays of the audio. */
  readonly repeat: number;
  /** Pause between two plays of the audio, in milliseconds. */
  readonly intervalMs: number;
  /** Maximum time for which the first ready target waits for the other targets, in milliseconds. */
  readonly togetherMs: number;
  /** Time from `add` until a target that has not started expires, in milliseconds; infinite for no limit. */
  readonly ttlMs: number;
  /** Volume while the announcement plays, such as `-12dB`; undefined to leave the volume as it is. */
  readonly volume?: string | undefined;
  readonly hasText: boolean;
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

export interface Failed {
  readonly outcome: 'failed' | 'unknown' | 'expired' | 'superseded' | 'skipped';
  readonly code: string;
}

export type Sound = 'chime' | 'audio';

export type AnnounceStep =
  | { readonly kind: 'read-volume'; readonly setting: string }
  | { readonly kind: 'write-volume'; readonly setting: string; readonly value: string }
  | { readonly kind: 'show-text' }
  | { readonly kind: 'start-tone'; readonly sound: Sound; readonly isFirst: boolean }
  | { readonly kind: 'stop-tone' }
  | { readonly kind: 'remove-text' };

export type StepResult =
  | { readonly is: 'done'; readonly value?: string }
  | { readonly is: 'refused'; readonly failed: Failed }
  /** The request did not take effect, for a reason other than a refusal. */
  | { readonly is: 'missed'; readonly failed: Failed }
  | { readonly is: 'unknown'; readonly failed: Failed }
  /** `maySend` returned false when the request had its turn in the queue, so nothing was sent. */
  | { readonly is: 'held' };

export type EndEvent = 'finished' | 'stopped' | 'skipped' | 'failed';
export type EventName = 'queued' | 'started' | EndEvent;

/** Returns the length of an announcement at one target, in milliseconds. */
export function plannedMs(
  { repeat, intervalMs }: Pick<Announcement, 'repeat' | 'intervalMs'>,
  { chimeMs = 0, audioMs }: Pick<Prepared, 'chimeMs' | 'audioMs'>,
): number {
  return chimeMs + repeat * audioMs + (repeat - 1) * intervalMs;
}
