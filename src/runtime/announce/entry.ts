import {
  type Announcement,
  type EndEvent,
  type Failed,
  type NamedDevice,
  type Prepared,
  plannedMs,
  type Sound,
} from './announcement';
import type { VolumeChange } from './put-back';

export type Note = 'noVolume' | 'noText' | 'noChime' | 'noTextSupport' | 'held' | 'textHeld' | 'busy';

/** How a target was taken out before it began; `stop` is the operation of the own node. */
export type TakenOutBy = 'stop' | 'replaced' | 'other';

export interface EntryReceipt {
  readonly outcome: 'accepted' | Failed['outcome'];
  readonly code?: string;
  /** Only with the outcome `superseded`. */
  readonly takenOutBy?: TakenOutBy;
}

export interface Ending {
  readonly event: EndEvent;
  readonly reason: string | null;
  /** Has no effect if the target already has a receipt. */
  readonly receipt?: EntryReceipt;
  /** Used instead of this ending if the target has not started. */
  readonly unstarted?: Ending;
}

/** An announcement at one target. */
export class Entry {
  phase: 'preparing' | 'ready' | 'current' | 'over' = 'preparing';
  prepared: Prepared | undefined;
  readonly notes: { readonly note: Note; readonly detail?: string }[] = [];
  hasReceipt = false;
  isQueued = false;
  /**
   * Whether the entry has ended the current entry (overlap `replace`), and therefore goes first in the line.
   */
  takesPlace = false;
  startedAt: number | undefined;
  ending: Ending | undefined;
  /** Time at which the entry was ended early, in milliseconds on the monotonic clock. */
  endedAt: number | undefined;
  hasReadVolume = false;
  volumeToWrite: string | undefined;
  isTextDone = false;
  /** Whether an alert has taken the screen or the text, so that the text is over. */
  isTextOver = false;
  hasUndoneEarlier = false;
  hasUndoneOwn = false;
  /** Volume change to restore in `back` if the write of this entry does not take effect. */
  earlierVolume: VolumeChange | undefined;
  earlierText: true | undefined;
  /**
   * The `toneUntil` of `back` before `#end` changed it. Restored if the device does not play the sound that
   * is being started.
   */
  earlierToneUntil: number | undefined;
  /** Whether the chime was rejected, so that its length does not count. */
  isWithoutChime = false;
  /** Whether the last event of the entry was sent. The entry can stay the current one after that. */
  isOver = false;
  nextSound = 0;
  /** Time of the next sound or of the end, in milliseconds on the monotonic clock. */
  nextAt = Number.NEGATIVE_INFINITY;
  /** Time until which a sound plays, or might play, in milliseconds on the monotonic clock. */
  soundUntil = Number.NEGATIVE_INFINITY;

  constructor(
    readonly number: number,
    readonly announcement: Announcement,
    readonly key: string,
    readonly device: NamedDevice,
    readonly expiresAt: number,
    /** Whether the device is known to be offline, so that other targets do not wait for this target. */
    readonly isAway: boolean,
  ) {}

  /** The volume was put back while the entry goes on, so that its next step sets the volume again. */
  setVolumeAgain(setting: string): void {
    if (this.ending || this.prepared?.setting !== setting) return;
    this.hasReadVolume = false;
    this.volumeToWrite = undefined;
  }

  get sounds(): readonly Sound[] {
    const { chimeMs, plays } = this.prepared ?? {};
    if (!plays) return [];
    const audio = Array.from({ length: this.announcement.repeat }, () => 'audio' as const);
    return chimeMs === undefined ? audio : ['chime', ...audio];
  }

  get plannedMs(): number | null {
    if (!this.prepared) return null;
    const { chimeMs, audioMs } = this.prepared;
    return plannedMs(this.announcement, { audioMs, chimeMs: this.isWithoutChime ? undefined : chimeMs });
  }
}

/** Whether an entry is earlier in the line of a device than another one. */
export function isBefore(one: Entry, other: Entry): boolean {
  if (one.takesPlace !== other.takesPlace) return one.takesPlace;
  if (one.announcement.priority !== other.announcement.priority)
    return one.announcement.priority > other.announcement.priority;
  const { arrival } = one.announcement;
  return arrival === other.announcement.arrival
    ? one.number < other.number
    : arrival < other.announcement.arrival;
}
