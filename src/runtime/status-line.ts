import type { Node, NodeStatus } from 'node-red';
import { type Clock, realClock } from '../time/clock';

/** Each status goes to every open editor, so a node shows no more than so many in a second. */
const mostPerSecond = 4;
const secondMs = 1_000;

/** Makes a status only when it is shown: its words have to be translated. */
type Status = () => NodeStatus;

/** The line under a node: always the latest status, at most four times a second however many come. */
export class StatusLine {
  /** When the last ones were shown, on the monotonic clock, oldest first. */
  #shownAt: readonly number[] = [];
  #latest: Status | undefined;
  #cancelTimer: (() => void) | undefined;
  /** When the timer shows the latest, on the monotonic clock. */
  #dueAt = 0;

  constructor(
    private readonly node: Pick<Node, 'status'>,
    private readonly clock: Pick<Clock, 'monotonic' | 'after'> = realClock,
  ) {}

  /** Shows how a message ended, at once or as soon as it may, unless a later status comes before. */
  show(status: Status): void {
    this.#showWithin(status, mostPerSecond);
  }

  /** Shows how far a message is; half of what may be shown is kept for how it ends. */
  showPassing(status: Status): void {
    this.#showWithin(status, mostPerSecond / 2);
  }

  /** Takes the status away. Nothing is shown afterwards, and no timer is left. */
  clear(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#latest = undefined;
    this.node.status({});
  }

  #showWithin(status: Status, most: number): void {
    this.#latest = status;
    const now = this.clock.monotonic();
    const dueAt = Math.max(now, (this.#shownAt.at(-most) ?? Number.NEGATIVE_INFINITY) + secondMs);
    // At full rate a timer that is set already will do.
    if (this.#cancelTimer && this.#dueAt <= dueAt) return;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#dueAt = dueAt;
    if (dueAt === now) this.#showLatest();
    else this.#cancelTimer = this.clock.after(dueAt - now, () => this.#showLatest());
  }

  #showLatest(): void {
    this.#cancelTimer = undefined;
    const status = this.#latest;
    if (!status) return;
    // It knows its message, with all its targets and what it sent.
    this.#latest = undefined;
    this.#shownAt = [...this.#shownAt.slice(1 - mostPerSecond), this.clock.monotonic()];
    this.node.status(status());
  }
}
