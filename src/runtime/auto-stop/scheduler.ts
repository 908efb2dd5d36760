import { DeviceError } from '../../client/errors';
import { backoffMs } from '../../time/backoff';
import type { Clock } from '../../time/clock';
import { DeadlineTimer } from '../../time/deadline-timer';
import { type StartGuard, type StopCommand, whenAll } from '../message/stop-command';
import { MinHeap } from './min-heap';
import {
  failureOf,
  type LedgerJournal,
  PendingStop,
  PendingStopStore,
  type PersistedStop,
  type Subject,
  surrenderOf,
} from './store';

/** The time between two attempts of one stop, in milliseconds; it doubles each time. */
const backoff = { firstMs: 1_000, maxMs: 30_000 };
/** A stop that has failed for this long is given up, in milliseconds. */
const patienceMs = 24 * 3_600_000;
/** The most stops that start in one turn of the event loop. */
const maxPerTurn = 100;

/** The environment of the scheduler. */
export interface AutoStopOptions {
  readonly timing: Clock;
  readonly journal: LedgerJournal;
  /**
   * Sends the stop once; rejects unless the device accepted the stop. Also rejects if the device was not found.
   * @param signal aborted when the stop is no longer wanted
   */
  readonly send: (end: StopCommand, signal: AbortSignal) => Promise<unknown>;
  /** Returns the device that replaces a device that no longer exists. */
  readonly successorOf?: (end: StopCommand) => Pick<StopCommand, 'device'> | undefined;
  /** Writes a warning to the log. */
  readonly warn: (end: StopCommand, sentence: string) => void;
  /** Reports an error to a Catch node. */
  readonly giveUp: (end: StopCommand, error: Error) => void;
}

/**
 * Sends stops some time after their starts (docs/contract.md 2.5, `endAfter`). A stop is written to the journal before
 * its start is sent, so that a crash never leaves a door open. A due stop is retried until it succeeds, also after a
 * restart.
 * While a start of the same device output waits or is sent, no stop is sent, because the start can replace the stop.
 * All stops share one timer.
 */
export class AutoStopScheduler {
  readonly #ledger: PendingStopStore;
  readonly #soonest = new MinHeap<PendingStop>();
  #isRunning = false;
  readonly #timer: DeadlineTimer;
  /** The attempts that are running. */
  readonly #askings = new Set<Promise<void>>();

  /** Reads the pending stops from the journal. Nothing is sent before `run`. */
  constructor(private readonly options: AutoStopOptions) {
    this.#timer = new DeadlineTimer(() => this.#onTimer(), options.timing);
    this.#ledger = new PendingStopStore(options.journal);
    for (const kept of this.#ledger.read()) this.#takeUp(kept);
  }

  /** Called when the flows have started: from now on due stops are sent. */
  run(): void {
    this.#isRunning = true;
    void this.options.journal.together(() => {
      this.#handOver();
      for (const subject of [...this.#ledger.subjects()]) void this.#settle(subject);
    });
    this.#setTimer();
  }

  /**
   * Moves pending stops to devices that a deploy has given other ids. All stops move in one change of the journal,
   * because one device can get the old id of another.
   */
  #handOver(): void {
    const leaving = [...this.#ledger.subjects()].flatMap((subject) => {
      const successor = subject.pending && this.options.successorOf?.(subject.pending.kept);
      return subject.pending && successor ? [{ subject, pending: subject.pending, successor }] : [];
    });
    for (const { subject } of leaving) this.#replace(subject, undefined);
    for (const { subject, pending, successor } of leaving) {
      const other = this.#ledger.subject(successor.device.id, subject.name);
      other.pending ??= new PendingStop(other, { ...pending.kept, ...successor }, pending.dueAt);
    }
  }

  /**
   * Called when a user is about to stop the flows: sends soon-due stops now, once.
   * @param isSoon whether a stop is due soon
   * @returns a promise that resolves when all attempts are over; undefined if there is none
   */
  leave(isSoon: (kept: PersistedStop) => boolean): Promise<void> | undefined {
    if (!this.#isRunning) return undefined;
    const soon = [...this.#ledger.subjects()].flatMap(({ pending }) =>
      // A stop outside the heap waits for a start, or is being sent.
      pending && pending.place >= 0 && isSoon(pending.kept) ? [pending] : [],
    );
    if (soon.length === 0 && this.#askings.size === 0) return undefined;
    return this.#askAll(soon);
  }

  async #askAll(soon: readonly PendingStop[]): Promise<void> {
    for (const pending of soon) this.#soonest.remove(pending);
    for (const [index, pending] of soon.entries()) {
      if (index > 0 && index % maxPerTurn === 0) await new Promise(setImmediate);
      // Another stop might have replaced it meanwhile.
      if (pending.subject.pending === pending) this.#begin(pending, this.options.timing.monotonic());
    }
    await Promise.all(this.#askings);
  }

  /** Ends all sending; pending stops stay in the journal. */
  close(): void {
    this.#isRunning = false;
    this.#timer.clear();
    for (const { pending } of this.#ledger.subjects()) {
      pending?.asking?.abort();
      if (pending) pending.asking = undefined;
    }
  }

  /** Returns the pending stops. */
  *pending(): Generator<PersistedStop> {
    for (const { pending } of this.#ledger.subjects()) if (pending) yield pending.kept;
  }

  /**
   * Called when a start of this device output begins to wait, with or without an auto-stop.
   * @param others ids of the device under other names, whose pending stops are replaced as well
   */
  hold(deviceId: string, subjectName: string, others: readonly string[] = []): StartGuard {
    const alike = others.map((id) => this.hold(id, subjectName));
    const subject = this.#ledger.subject(deviceId, subjectName);
    let armed: PendingStop | undefined;
    let isOpen = true;
    subject.holds += 1;
    if (subject.pending) this.#soonest.remove(subject.pending);
    const disarm = () => {
      if (armed) subject.armed = subject.armed.filter((other) => other !== armed);
    };
    return {
      arm: async (end) => {
        if (!isOpen) return;
        disarm();
        armed = this.#after(end, subject);
        subject.armed = [...subject.armed, armed];
        await this.#ledger.write(subject);
      },
      release: (happened) => {
        if (!isOpen) return undefined;
        isOpen = false;
        disarm();
        subject.holds -= 1;
        if (happened) this.#replace(subject, armed && this.#after(armed.kept, subject));
        const settled = this.#settle(subject);
        if (alike.length === 0) return settled;
        return whenAll([settled, ...alike.map((hold) => hold.release(happened))]);
      },
    };
  }

  /**
   * Called when any node has stopped this device output.
   * @param others ids of the device under other names
   * @returns a promise that resolves when the change is on disk; undefined if it already is
   */
  noteEnded(
    deviceId: string,
    subjectName: string,
    others: readonly string[] = [],
  ): Promise<void> | undefined {
    const alike = others.map((id) => this.noteEnded(id, subjectName));
    const subject = this.#ledger.find(deviceId, subjectName);
    if (!subject?.pending) return whenAll([subject?.writing, ...alike]);
    this.#replace(subject, undefined);
    return whenAll([this.#settle(subject), ...alike]);
  }

  /** Schedules a stop from the journal. If the clock was set back, the stop is due at most `afterMs` from now. */
  #takeUp(kept: PersistedStop): void {
    const subject = this.#ledger.subject(kept.device.id, kept.subject);
    const left = kept.due - this.options.timing.now();
    if (left > kept.afterMs) {
      subject.pending = this.#after(kept, subject);
    } else {
      subject.pending = new PendingStop(subject, kept, this.options.timing.monotonic() + Math.max(0, left));
      subject.written = subject.pending;
    }
    void this.#settle(subject);
  }

  /** Returns a stop that is due `afterMs` from now. */
  #after(end: StopCommand, subject: Subject): PendingStop {
    const { timing } = this.options;
    const kept = { ...end, subject: subject.name, due: timing.now() + end.afterMs };
    return new PendingStop(subject, kept, timing.monotonic() + end.afterMs);
  }

  #replace(subject: Subject, pending: PendingStop | undefined): void {
    const old = subject.pending;
    subject.pending = pending;
    if (!old) return;
    this.#soonest.remove(old);
    const { asking } = old;
    old.asking = undefined;
    asking?.abort();
  }

  /** Updates the journal and the heap after a change of a device output. */
  #settle(subject: Subject): Promise<void> | undefined {
    const { pending, holds } = subject;
    if (pending && holds === 0 && !pending.asking && pending.place < 0) {
      this.#soonest.add(pending);
      this.#setTimer();
    }
    const writing = this.#ledger.write(subject);
    this.#ledger.forget(subject);
    return writing;
  }

  #setTimer(): void {
    const { first } = this.#soonest;
    if (this.#isRunning && first) this.#timer.set(first.dueAt);
  }

  #onTimer(): void {
    const now = this.options.timing.monotonic();
    for (let count = 0; count < maxPerTurn; count += 1) {
      const { first } = this.#soonest;
      if (!first || first.dueAt > now) break;
      this.#soonest.remove(first);
      this.#begin(first, now);
    }
    this.#setTimer();
  }

  #begin(pending: PendingStop, now: number): void {
    const asking = this.#ask(pending, now);
    this.#askings.add(asking);
    void asking.then(() => this.#askings.delete(asking));
  }

  /** Never rejects. */
  async #ask(pending: PendingStop, now: number): Promise<void> {
    const asking = new AbortController();
    pending.asking = asking;
    pending.firstAskedAt ??= now;
    let failure: { readonly error: unknown } | undefined;
    try {
      await this.options.send(pending.kept, asking.signal);
    } catch (error) {
      failure = { error };
    }
    // The stop was replaced or is done, so the result no longer matters.
    if (pending.asking !== asking) return;
    pending.asking = undefined;
    const { subject } = pending;
    if (!failure || this.#isHopeless(pending, failure.error)) this.#replace(subject, undefined);
    else this.#askAgain(pending, failure.error);
    void this.#settle(subject);
  }

  #isHopeless({ kept, firstAskedAt = 0 }: PendingStop, error: unknown): boolean {
    if (this.options.timing.monotonic() - firstAskedAt < patienceMs) return false;
    tell(() => this.options.giveUp(kept, surrenderOf(kept, error)));
    return true;
  }

  #askAgain(pending: PendingStop, error: unknown): void {
    const { timing, warn } = this.options;
    pending.dueAt = timing.monotonic() + backoffMs(pending.failures, backoff) * (1 - timing.random() / 2);
    // The stop yielded to a start or to a deploy, which is not a failure of the device.
    if (error instanceof DeviceError && error.code === 'ABORTED') return;
    pending.failures += 1;
    if (pending.failures === 1) tell(() => warn(pending.kept, failureOf(pending.kept, error)));
  }
}

/** Calls a callback for messages. An error in the callback must not keep a stop from being sent. */
function tell(words: () => void): void {
  try {
    words();
  } catch {
    // The callback reports errors, so there is no other place for this error.
  }
}
