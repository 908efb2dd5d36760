import type { SharedJournal } from './journal/journal';
import type { Json } from './journal/lines';
import { readEntries } from './journal/read-entries';
import { number, open, reader, type Shape } from './shape';
import type { Clock } from './time/clock';
import { Retries } from './time/retries';
import { TurnBudget } from './time/turn-budget';

const maxPerTurn = 100;

export interface ReconcilerOptions<R> {
  /** The start of the keys in the journal, such as `end/`. */
  readonly prefix: string;
  readonly journal: SharedJournal;
  readonly clock: Clock;
  /** The form of a record in the journal; a record of another form stays there, and is not used. */
  readonly shape: Shape<R>;
  /**
   * Does the work once; rejects if it was not done.
   * @param signal aborted when the work is no longer pending
   */
  readonly attempt: (record: R, signal: AbortSignal) => Promise<unknown>;
  /** Tells the first failure of a record in this process. */
  readonly failedFirst: (record: R, error: unknown) => void;
  /** Tells that a record was removed, since its attempts have failed for a day. */
  readonly gaveUp: (record: R, error: unknown) => void;
  /** Whether an error is no failure: the next attempt then comes after the shortest pause, and nothing is told. */
  readonly isNoFailure: (error: unknown) => boolean;
}

/** A start under way, which might replace what is pending. */
export interface Hold<R> {
  /**
   * Stores the record that is pending if the start happens. After a crash, the start counts as happened.
   * @param afterMs time from now until the work is due, in milliseconds
   * @returns a promise that resolves as for `set`
   */
  intend(record: R, afterMs: number): Promise<void> | undefined;
  /**
   * Ends the hold; later calls have no effect. If the start happened or might have happened, the intended record
   * replaces what was pending, and its time begins now; without an intended record, nothing is pending.
   * @returns a promise that resolves as for `set`
   */
  release(happened: boolean): Promise<void> | undefined;
}

interface PendingWork<R> {
  readonly record: R;
  readonly afterMs: number;
  /** Epoch milliseconds, for the journal. */
  readonly due: number;
  /** On the monotonic clock, in milliseconds. */
  dueAt: number;
  readonly retries: Retries;
  attempt: AbortController | undefined;
  cancelTimer: (() => void) | undefined;
}

interface Item<R> {
  readonly key: string;
  pending: PendingWork<R> | undefined;
  holds: number;
  /** The records of starts under way; after a crash, the last one is pending. */
  intended: readonly PendingWork<R>[];
  /** The record that was last given to the journal. */
  written: PendingWork<R> | undefined;
  writing: Promise<void> | undefined;
}

/**
 * Work that must be done at devices whatever happens to this process: at most one record for each key. A record is
 * in the journal before anything depends on it, is attempted when it is due, and then again with growing pauses
 * until an attempt succeeds. It survives deploys, restarts and `kill -9`. No work is attempted before `run`,
 * and none for a key while a start holds the key.
 */
export class Reconciler<R extends object> {
  readonly #items = new Map<string, Item<R>>();
  readonly #budget = new TurnBudget(maxPerTurn);
  readonly #attempts = new Set<Promise<void>>();
  #isRunning = false;

  constructor(private readonly options: ReconcilerOptions<R>) {
    const { prefix, journal, clock, shape } = options;
    const persisted = open({ record: shape, due: number(), afterMs: number() });
    for (const [key, { record, due, afterMs }] of readEntries(journal, prefix, reader(persisted))) {
      const item = this.#item(key.slice(prefix.length));
      const leftMs = due - clock.now();
      // If the clock was set back, the time is limited to that of the record.
      item.pending = this.#plan(record, afterMs, Math.min(Math.max(0, leftMs), afterMs));
      if (leftMs <= afterMs) item.written = item.pending;
      void this.#settle(item);
    }
  }

  /**
   * Replaces what is pending for a key, and aborts an attempt under way. The record that is pending already is not
   * stored again: only its time in this process changes.
   * @param record undefined if nothing is pending
   * @param afterMs time from now until the work is due, in milliseconds
   * @returns a promise that resolves when the change is on disk, or when the journal does not wait for the disk
   * any longer; undefined if no write is under way
   */
  set(key: string, record: R | undefined, afterMs = 0): Promise<void> | undefined {
    const item = this.#item(key);
    const isStored = item.pending?.record === record && item.written === item.pending;
    this.#replace(item, record && this.#plan(record, afterMs));
    if (isStored) item.written = item.pending;
    return this.#settle(item);
  }

  /** Holds a key for a start: until its release, no work is attempted for the key. */
  hold(key: string): Hold<R> {
    const item = this.#item(key);
    let intended: PendingWork<R> | undefined;
    let isOpen = true;
    item.holds += 1;
    pause(item.pending);
    const withdraw = () => {
      item.intended = item.intended.filter((other) => other !== intended);
    };
    return {
      intend: (record, afterMs) => {
        if (!isOpen) return undefined;
        withdraw();
        intended = this.#plan(record, afterMs);
        item.intended = [...item.intended, intended];
        return this.#write(item);
      },
      release: (happened) => {
        if (!isOpen) return undefined;
        isOpen = false;
        withdraw();
        item.holds -= 1;
        if (happened) this.#replace(item, intended && this.#plan(intended.record, intended.afterMs));
        return this.#settle(item);
      },
    };
  }

  /** Returns the record that is pending for a key, without the records of starts under way. */
  get(key: string): R | undefined {
    return this.#items.get(key)?.pending?.record;
  }

  /** All that is pending, without the records of starts under way. `due` is in epoch milliseconds. */
  *entries(): Generator<{ readonly key: string; readonly record: R; readonly due: number }> {
    for (const { key, pending } of this.#items.values())
      if (pending) yield { key, record: pending.record, due: pending.due };
  }

  /** Starts the attempts, after the start of the flows. */
  run(): void {
    this.#isRunning = true;
    for (const item of [...this.#items.values()]) void this.#settle(item);
  }

  /**
   * Moves records to other keys. All moves are one change of the journal, since a record can get the old key of
   * another record.
   * @param successorOf returns the new key and record; undefined if the record stays
   */
  move(successorOf: (record: R) => { readonly key: string; readonly record: R } | undefined): void {
    const leaving = [...this.#items.values()].flatMap((item) => {
      const successor = item.pending && successorOf(item.pending.record);
      return item.pending && successor ? [{ item, pending: item.pending, successor }] : [];
    });
    void this.options.journal.batch(() => {
      for (const { item } of leaving) this.#replace(item, undefined);
      for (const { pending, successor } of leaving) {
        const other = this.#item(successor.key);
        const leftMs = pending.dueAt - this.options.clock.monotonic();
        other.pending ??= this.#plan(successor.record, pending.afterMs, leftMs);
        void this.#settle(other);
      }
      for (const { item } of leaving) void this.#settle(item);
    });
  }

  /**
   * Attempts each selected record once, whether it is due or not. Skips records that a start holds.
   * @returns a promise that resolves after these attempts and all attempts under way; undefined if there are
   * none
   */
  flush(isSelected: (record: R, due: number) => boolean): Promise<void> | undefined {
    if (!this.#isRunning) return undefined;
    const selected = [...this.#items.values()].filter(
      ({ pending }) => pending?.cancelTimer && isSelected(pending.record, pending.due),
    );
    for (const { pending } of selected) pause(pending);
    const begun = selected.map(
      (item) =>
        new Promise<void>((resolve) => {
          this.#budget.spend(() => resolve(this.#attemptIfFree(item, item.pending)));
        }),
    );
    const all = [...begun, ...this.#attempts];
    return all.length === 0 ? undefined : Promise.all(all).then(() => {});
  }

  /** Aborts all attempts; none begins until `run`. The records stay in the journal. */
  close(): void {
    this.#isRunning = false;
    for (const { pending } of this.#items.values()) {
      pause(pending);
      pending?.attempt?.abort();
      if (pending) pending.attempt = undefined;
    }
  }

  #item(key: string): Item<R> {
    const known = this.#items.get(key);
    if (known) return known;
    const item: Item<R> = {
      key,
      pending: undefined,
      holds: 0,
      intended: [],
      written: undefined,
      writing: undefined,
    };
    this.#items.set(key, item);
    return item;
  }

  #plan(record: R, afterMs: number, leftMs = afterMs): PendingWork<R> {
    const { clock } = this.options;
    return {
      record,
      afterMs,
      due: clock.now() + leftMs,
      dueAt: clock.monotonic() + leftMs,
      retries: new Retries(),
      attempt: undefined,
      cancelTimer: undefined,
    };
  }

  #replace(item: Item<R>, pending: PendingWork<R> | undefined): void {
    const { pending: old } = item;
    item.pending = pending;
    pause(old);
    const attempt = old?.attempt;
    if (old) old.attempt = undefined;
    attempt?.abort();
  }

  /** Brings the journal and the timer of an item up to date, and forgets an item that has nothing. */
  #settle(item: Item<R>): Promise<void> | undefined {
    this.#setTimer(item);
    const writing = this.#write(item);
    this.#forgetIfEmpty(item);
    return writing;
  }

  #setTimer(item: Item<R>): void {
    const { pending, holds } = item;
    if (!pending || !this.#isRunning || holds > 0 || pending.attempt || pending.cancelTimer) return;
    const { clock } = this.options;
    const leftMs = Math.max(0, pending.dueAt - clock.monotonic());
    const cancel = clock.after(leftMs, () => {
      this.#budget.spend(() => {
        // The timer was cancelled while it waited for its turn.
        if (pending.cancelTimer !== cancel) return;
        pending.cancelTimer = undefined;
        if (clock.monotonic() < pending.dueAt) this.#setTimer(item);
        else void this.#attemptIfFree(item, pending);
      });
    });
    pending.cancelTimer = cancel;
  }

  #attemptIfFree(item: Item<R>, pending: PendingWork<R> | undefined): Promise<void> | undefined {
    // In the meantime, the record might have been replaced, or a start might have begun.
    if (!pending || item.pending !== pending || item.holds > 0 || pending.attempt || !this.#isRunning)
      return undefined;
    const attempt = this.#attempt(item, pending);
    this.#attempts.add(attempt);
    return attempt.then(() => void this.#attempts.delete(attempt));
  }

  /** Never rejects. */
  async #attempt(item: Item<R>, pending: PendingWork<R>): Promise<void> {
    const { attempt: work } = this.options;
    const attempt = new AbortController();
    pending.attempt = attempt;
    let failure: { readonly error: unknown } | undefined;
    try {
      await work(pending.record, attempt.signal);
    } catch (error) {
      failure = { error };
    }
    // The record was replaced, or the reconciler was closed: the result of the attempt is ignored.
    if (pending.attempt !== attempt) return;
    pending.attempt = undefined;
    if (failure) this.#fail(item, pending, failure.error);
    else this.#replace(item, undefined);
    void this.#settle(item);
  }

  #fail(item: Item<R>, pending: PendingWork<R>, error: unknown): void {
    const { clock, isNoFailure, failedFirst, gaveUp } = this.options;
    const { record, retries } = pending;
    if (isNoFailure(error)) {
      pending.dueAt = retries.nextAt(clock);
    } else if (retries.isHopeless(clock)) {
      tell(() => gaveUp(record, error));
      this.#replace(item, undefined);
    } else {
      pending.dueAt = retries.fail(clock);
      if (retries.failures === 1) tell(() => failedFirst(record, error));
    }
  }

  /** Gives the record that counts after a crash to the journal: that of the last start under way, or what is pending. */
  #write(item: Item<R>): Promise<void> | undefined {
    const counts = item.intended.at(-1) ?? item.pending;
    if (counts === item.written) return item.writing;
    item.written = counts;
    const { journal, prefix } = this.options;
    const key = `${prefix}${item.key}`;
    const value = counts && { record: counts.record, due: counts.due, afterMs: counts.afterMs };
    const written = value ? journal.put(key, value as unknown as Json) : journal.delete(key);
    const writing = written.then(() => {
      if (item.writing !== writing) return;
      item.writing = undefined;
      this.#forgetIfEmpty(item);
    });
    item.writing = writing;
    return writing;
  }

  /** An item with a write under way is kept, since a later change must wait for the write. */
  #forgetIfEmpty({ key, holds, pending, writing }: Item<R>): void {
    if (holds === 0 && !pending && !writing) this.#items.delete(key);
  }
}

function pause(pending: PendingWork<object> | undefined): void {
  pending?.cancelTimer?.();
  if (pending) pending.cancelTimer = undefined;
}

/** A failing log must not stop the work. */
function tell(words: () => void): void {
  try {
    words();
  } catch {
    // There is no other place to report the error.
  }
}
