import type { OperationName } from '../../catalogue/operation-name';
import type { Clock } from '../../kernel/time/clock';
import { DeadlineTimer } from '../../kernel/time/deadline-timer';
import type { Retries } from '../../kernel/time/retries';
import { type End, isBefore, type Part } from './part';

/** The announcement that has its turn at a device, from its first change until all was tried to be put back. */
export interface CurrentPlay {
  readonly part: Part;
  /** Never rejects; then the part has an end. */
  readonly done: Promise<void>;
  /** The request that is being sent. `isSent`: whether the device might have it. */
  readonly underWay: { readonly operation: OperationName; readonly isSent: boolean } | undefined;
  /** Lets changes be put back before `done`. */
  readonly release: () => void;
  /** Whether the device might have a write of the setting that it has not answered. */
  isWriting(setting: string): boolean;
  /** Ends the announcement, and its sound. */
  cut(end: End): void;
  /**
   * Ends the announcement, whose sound is over.
   * @param alert the name of the alert that needs the device; undefined for another node
   */
  endByOther(alert: string | undefined): void;
  /** An alert has taken the screen: the text is over, but not the sound. */
  endTextBy(alert: string): void;
}

/** The announcements at one device, and what else is under way there. */
export class Line {
  play: CurrentPlay | undefined;
  readonly waiting: Part[] = [];
  isRunning = false;
  /** Number of requests of other nodes that are being sent. Announcements wait until there are none. */
  others = 0;
  /** A try to put all back is under way; resolves with the error if something is left, never rejects. */
  trying: Promise<Error | undefined> | undefined;
  /** Volumes are being put back in the turn of a start that waits for it; never rejects. */
  first: Promise<void> | undefined;
  /** The failed tries since a start that must be heard: meanwhile, the volumes are put back once a second. */
  press: Retries | undefined;
  /** Expires the parts that wait. */
  readonly expiry: DeadlineTimer;
  readonly #waits = new Set<() => void>();

  /** @param expire takes out the parts that have expired; might be called earlier */
  constructor(
    readonly key: string,
    private readonly clock: Clock,
    expire: (line: Line) => void,
  ) {
    this.expiry = new DeadlineTimer(() => expire(this), clock);
  }

  get isEmpty(): boolean {
    const isBusy = this.isRunning || this.others > 0 || this.press || this.trying;
    return !isBusy && this.waiting.length === 0;
  }

  /** The part whose turn it is. */
  get next(): Part | undefined {
    const [first] = this.waiting;
    return first?.isReady && this.others === 0 ? first : undefined;
  }

  enter(part: Part): void {
    const index = this.waiting.findIndex((other) => isBefore(part, other));
    this.waiting.splice(index < 0 ? this.waiting.length : index, 0, part);
    this.expiry.set(part.expiresAt);
  }

  leave(part: Part): void {
    const index = this.waiting.indexOf(part);
    if (index >= 0) this.waiting.splice(index, 1);
  }

  /** Resolves when the moment comes, or anything changes here. The caller looks again in both cases. */
  until(moment: number): Promise<void> {
    return new Promise((resolve) => {
      let cancel = () => {};
      const end = () => {
        cancel();
        this.#waits.delete(end);
        resolve();
      };
      this.#waits.add(end);
      const ms = Math.max(0, moment - this.clock.monotonic());
      if (Number.isFinite(moment)) cancel = this.clock.after(ms, end);
    });
  }

  /** Ends all waits, since something has changed. */
  nudge(): void {
    for (const end of [...this.#waits]) end();
  }

  /** The lists of the operation `state`: a part that has not started yet counts as one that waits. */
  get parts(): { readonly playing: Part | undefined; readonly waiting: readonly Part[] } {
    const { waiting } = this;
    const current = this.play?.part;
    if (!current || current.startedAt !== undefined) return { playing: current, waiting };
    return { playing: undefined, waiting: current.isOver ? waiting : [current, ...waiting] };
  }
}
