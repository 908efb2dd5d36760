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

/** Between two requests of one end, in milliseconds; each time twice as long. */
const backoff = { firstMs: 1_000, maxMs: 30_000 };
/** An end that has not succeeded for so long is given up, in milliseconds. */
const patienceMs = 24 * 3_600_000;
/** So many ends are begun in one turn of the event loop. */
const maxPerTurn = 100;

/** What the ends need of the surroundings. */
export interface AutoStopOptions {
  readonly timing: Clock;
  readonly journal: LedgerJournal;
  /**
   * Asks the device once; rejects unless it said yes. A device that is not found rejects as well.
   * @param signal aborted when the end is not wanted any more
   */
  readonly send: (end: StopCommand, signal: AbortSignal) => Promise<unknown>;
  /** What is in the place of a device that is not there any more. */
  readonly successorOf?: (end: StopCommand) => Pick<StopCommand, 'device'> | undefined;
  /** For the log. */
  readonly warn: (end: StopCommand, sentence: string) => void;
  /** For a Catch node. */
  readonly giveUp: (end: StopCommand, error: Error) => void;
}

/**
 * What Node-RED ends after a while (docs/contract.md 2.5, `endAfter`). An end is written to the journal before its
 * start is sent, so at no moment a door is open and no one knows; one that is due is asked for until it succeeds, also
 * after a restart. While a start of the same subject waits or is under way no end is sent: that start decides whether
 * it still is wanted. All ends share one timer.
 */
export class AutoStopScheduler {
  readonly #ledger: PendingStopStore;
  readonly #soonest = new MinHeap<PendingStop>();
  #isRunning = false;
  readonly #timer: DeadlineTimer;
  /** Those that are being asked for. */
  readonly #askings = new Set<Promise<void>>();

  /** Takes up what the journal holds. Nothing is sent before `run`. */
  constructor(private readonly options: AutoStopOptions) {
    this.#timer = new DeadlineTimer(() => this.#onTimer(), options.timing);
    this.#ledger = new PendingStopStore(options.journal);
    for (const kept of this.#ledger.read()) this.#takeUp(kept);
  }

  /** The flows have been started: what is due is sent from now on. */
  run(): void {
    this.#isRunning = true;
    void this.options.journal.together(() => {
      this.#handOver();
      for (const subject of [...this.#ledger.subjects()]) void this.#settle(subject);
    });
    this.#setTimer();
  }

  /** A deploy may have given devices other ids: all at once, since one may get what another had, crash or not. */
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
   * The flows are about to stop until somebody starts them: what is due soon is asked for now, once.
   * @param isSoon whether an end is among them
   * @returns resolves when that is over; undefined where there is nothing to wait for
   */
  leave(isSoon: (kept: PersistedStop) => boolean): Promise<void> | undefined {
    if (!this.#isRunning) return undefined;
    const soon = [...this.#ledger.subjects()].flatMap(({ pending }) =>
      // One that is not in order gives way to a start, or is being asked for.
      pending && pending.place >= 0 && isSoon(pending.kept) ? [pending] : [],
    );
    if (soon.length === 0 && this.#askings.size === 0) return undefined;
    return this.#askAll(soon);
  }

  async #askAll(soon: readonly PendingStop[]): Promise<void> {
    for (const pending of soon) this.#soonest.remove(pending);
    for (const [index, pending] of soon.entries()) {
      if (index > 0 && index % maxPerTurn === 0) await new Promise(setImmediate);
      // Another one may have replaced it meanwhile.
      if (pending.subject.pending === pending) this.#begin(pending, this.options.timing.monotonic());
    }
    await Promise.all(this.#askings);
  }

  /** Nothing is sent any more; what is to come stays in the journal. */
  close(): void {
    this.#isRunning = false;
    this.#timer.clear();
    for (const { pending } of this.#ledger.subjects()) {
      pending?.asking?.abort();
      if (pending) pending.asking = undefined;
    }
  }

  /** The ends that are to come. */
  *pending(): Generator<PersistedStop> {
    for (const { pending } of this.#ledger.subjects()) if (pending) yield pending.kept;
  }

  /**
   * A start of this subject begins to wait, whether it brings an end or not.
   * @param others ids of the same device under other names: what was begun by one of them is replaced too
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
   * A stop of this subject was done, by whichever node.
   * @param others ids of the same device under other names
   * @returns when that is written through; undefined where it is
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

  /** A clock that went back must not leave anything on for longer than it was to be on. */
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

  /** An end that is due after its time from now on. */
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

  /** Brings the journal and the order of what is to come up to what is so now. */
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
    // Replaced or ended meanwhile: what came of it is of no interest.
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
    // It gave way to a start, or to a deploy: that is no failure of the device.
    if (error instanceof DeviceError && error.code === 'ABORTED') return;
    pending.failures += 1;
    if (pending.failures === 1) tell(() => warn(pending.kept, failureOf(pending.kept, error)));
  }
}

/** What others do with a word of ours must not keep an end from its course. */
function tell(words: () => void): void {
  try {
    words();
  } catch {
    // Nobody is left to tell it to.
  }
}
