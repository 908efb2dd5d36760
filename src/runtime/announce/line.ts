import { Retries } from '../../time/retries';
import type { Named, Step } from './announcement';
import type { Entry } from './entry';
import type { PutBack } from './put-back';

/** A request to send. The caller must call `answered` exactly once for each ticket. */
export interface Ticket {
  readonly number: number;
  readonly key: string;
  readonly device: Named;
  readonly step: Step;
  /** Undefined for an undo while the line has no current entry. */
  readonly entry: Entry | undefined;
  /** The node on whose behalf the request is sent. */
  readonly node: { readonly id: string; readonly name: string };
  /** Whether the request undoes a change or stops a sound. */
  readonly isPutBack: boolean;
  /** The round of undoing to which the request belongs; undefined if it belongs to none. */
  readonly round: Round | undefined;
  /** Whether a start that sounds waits for the request, which is sent in the turn of that start. */
  readonly isFirst: boolean;
  /** Whether `maySend` has permitted the request, so that the device might have it. */
  isSent: boolean;
}

/** One round of undoing changes, which tries each change at most once. */
export interface Round {
  tone?: true;
  text?: true;
  /** The settings of the volumes that the round has tried. */
  readonly volumes: Set<string>;
  /** Set if the result of a request suggests that the device is offline, so that the round ends early. */
  isHopeless?: true;
  /**
   * A setting that still has the volume that an announcement has written, so that the old volume must be
   * written.
   */
  ours?: string;
}

/** Puts volumes back because something sounds, or is about to sound, at the device. */
export interface Press {
  readonly round: Round;
  /** Whether a start that sounds waits for the end of the round. */
  readonly isFirst: boolean;
  isOver: boolean;
  /** Time of the next round, in milliseconds on the monotonic clock. */
  nextAt: number;
}

/** The announcements at one device, in order. */
export class Line {
  current: Entry | undefined;
  readonly waiting: Entry[] = [];
  back: PutBack | undefined;
  round: Round | undefined;
  /** While it is set, `round` leaves the volumes alone. */
  press: Press | undefined;
  /** Requests of the rounds of `press`. They go next to those in `underWay`, which might hang. */
  readonly pressing = new Set<Ticket>();
  readonly underWay = new Set<Ticket>();
  /** Number of requests of other nodes between `otherBegins` and `otherEnds`. */
  others = 0;
  /** Number of starts that sound among `others`. */
  sounding = 0;
  /** The rounds that have not undone the present changes. */
  retries = new Retries();
  /** Whether a request that undoes the present changes has failed. */
  isFailing = false;
  retryAt = Number.NEGATIVE_INFINITY;

  constructor(readonly key: string) {}

  get isEmpty(): boolean {
    return (
      !this.current &&
      !this.back &&
      this.waiting.length === 0 &&
      this.underWay.size === 0 &&
      this.pressing.size === 0 &&
      this.others === 0
    );
  }

  /** Whether announcements must wait, since a request of another node or of `press` is under way. */
  get isInUse(): boolean {
    return this.others > 0 || this.pressing.size > 0;
  }

  /** Whether the device might have a write of an announcement that it has not answered. */
  isWriting(setting: string): boolean {
    return [...this.underWay].some(
      ({ step, isPutBack, isSent }) =>
        isSent && !isPutBack && step.kind === 'write-volume' && step.setting === setting,
    );
  }
}

/** A current entry that has not started counts as waiting, unless its last event was sent. */
export function partsOf(line: Line | undefined): {
  readonly playing: Entry | undefined;
  readonly waiting: readonly Entry[];
} {
  const { current, waiting = [] } = line ?? {};
  if (!current || current.startedAt !== undefined) return { playing: current, waiting };
  return { playing: undefined, waiting: current.isOver ? waiting : [current, ...waiting] };
}
