import type { Kept } from './end';
import type { Timed } from './soonest';

/** One subject of one device: starts that wait or are under way, and the end that is to come. */
export interface Subject {
  /** In the journal. */
  readonly key: string;
  readonly name: string;
  /** Starts that wait or are under way. */
  holds: number;
  /** What those of them that are about to be sent, or were, would bring; the last one counts. */
  armed: readonly Pending[];
  pending: Pending | undefined;
  /** What the journal holds, or will as soon as it is written through. */
  written: Pending | undefined;
  /** There until it is. */
  writing: Promise<void> | undefined;
}

/** An end that is to come, or would be if the start that brings it happens. */
export class Pending implements Timed {
  place = -1;
  /** How often it was asked for in vain. */
  failures = 0;
  /** When it was first asked for, on the monotonic clock. */
  firstAskedAt: number | undefined;
  /** There while it is being asked for. */
  asking: AbortController | undefined;

  constructor(
    readonly subject: Subject,
    readonly kept: Kept,
    public dueAt: number,
  ) {}
}
