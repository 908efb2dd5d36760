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
}

/** One round of undoing changes, which tries each change at most once. */
export interface Round {
  tone?: true;
  volume?: true;
  text?: true;
  /** Set if the result of a request suggests that the device is offline, so that the round ends early. */
  isHopeless?: true;
  /**
   * Set if the device still has the volume that an announcement has written, so that the old volume must be
   * written.
   */
  isOurs?: true;
}

/** The announcements at one device, in order. */
export class Line {
  current: Entry | undefined;
  readonly waiting: Entry[] = [];
  back: PutBack | undefined;
  round: Round | undefined;
  readonly underWay = new Set<Ticket>();
  /** Number of requests of other nodes between `otherBegins` and `otherEnds`. */
  others = 0;
  failures = 0;
  retryAt = Number.NEGATIVE_INFINITY;

  constructor(readonly key: string) {}

  get isEmpty(): boolean {
    return (
      !this.current &&
      !this.back &&
      this.waiting.length === 0 &&
      this.underWay.size === 0 &&
      this.others === 0
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
