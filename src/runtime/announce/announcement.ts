/** A device under one of its names. Requests to the device use the login of this name. */
export interface Named {
  readonly id: string;
  readonly name: string;
  /** Equal for all names of one device; absent if the location is unknown. */
  readonly where?: string;
}

/** The line of a device: all names with one location share one line. */
export function lineKeyOf({ id, where = id }: Pick<Named, 'id'> & { readonly where?: string }): string {
  return where;
}

export const overlaps = ['queue', 'replace', 'skip'] as const;
export type Overlap = (typeof overlaps)[number];

/** One message to an announcement node, the same for all its targets. */
export interface Announcement {
  readonly id: string;
  /** Number that rises with each message, in the order of arrival. */
  readonly arrival: number;
  readonly node: { readonly id: string; readonly name: string };
  /** Number from 0 to 10. */
  readonly priority: number;
  readonly overlap: Overlap;
  /** How many times the audio is played. */
  readonly repeat: number;
  /** Pause between two times, in milliseconds. */
  readonly intervalMs: number;
  /** Maximum time for which ready targets wait for the other targets, in milliseconds. */
  readonly togetherMs: number;
  /** Time from the arrival until the announcement expires, in milliseconds; infinite for no limit. */
  readonly ttlMs: number;
  /** The volume while the announcement plays, such as `-12dB`; undefined if the volume stays. */
  readonly volume?: string | undefined;
  readonly hasText: boolean;
}

/** The result of the preparation of one target: what its device can do, and how long it plays. */
export interface Prepared {
  readonly plays: boolean;
  readonly shows: boolean;
  /** The setting of the volume. */
  readonly setting: string;
  /** Length of the chime, in milliseconds; undefined without a chime. */
  readonly chimeMs?: number | undefined;
  /** Length of the audio, in milliseconds. */
  readonly audioMs: number;
}

/** A failure of a request or of a preparation, as its receipt tells it. */
export interface Failed {
  readonly outcome: 'failed' | 'unknown' | 'expired' | 'superseded' | 'skipped';
  readonly code: string;
}

export type Sound = 'chime' | 'audio';

export type Step =
  | { readonly kind: 'read-volume'; readonly setting: string }
  | { readonly kind: 'write-volume'; readonly setting: string; readonly value: string }
  | { readonly kind: 'show-text' }
  | { readonly kind: 'start-tone'; readonly sound: Sound; readonly isFirst: boolean }
  | { readonly kind: 'stop-tone' }
  | { readonly kind: 'remove-text' };

export type StepResult =
  | { readonly is: 'done'; readonly value?: string }
  /** The device rejected the request, or does not support it. */
  | { readonly is: 'refused'; readonly failed: Failed }
  /** The request was definitely not done, for another reason. */
  | { readonly is: 'missed'; readonly failed: Failed }
  | { readonly is: 'unknown'; readonly failed: Failed }
  /** The request was held back at its turn, because others use the device. */
  | { readonly is: 'held' };

export type EndEvent = 'finished' | 'stopped' | 'skipped' | 'failed';
export type EventName = 'queued' | 'started' | EndEvent;

/** The length of an announcement at one target, in milliseconds. */
export function plannedMs(
  { repeat, intervalMs }: Pick<Announcement, 'repeat' | 'intervalMs'>,
  { chimeMs = 0, audioMs }: Pick<Prepared, 'chimeMs' | 'audioMs'>,
): number {
  return chimeMs + repeat * audioMs + (repeat - 1) * intervalMs;
}
