import { DeviceError } from '../../client/errors';
import type { Clock } from '../../time/clock';
import { DeadlineTimer } from '../../time/deadline-timer';
import { type StartGuard, type StopCommand, whenAll } from '../message/stop-command';
import { MinHeap } from './min-heap';
import {
  failureOf,
  type OutputStops,
  PendingStop,
  PendingStopStore,
  type PersistedStop,
  type StopJournal,
  surrenderOf,
} from './store';

const maxPerTurn = 100;

export interface AutoStopOptions {
  readonly timing: Clock;
  readonly journal: StopJournal;
  /**
   * Sends the stop once; rejects if the stop was not done.
   * @param signal aborted when the stop is no longer needed
   */
  readonly send: (stop: PersistedStop, signal: AbortSignal) => Promise<unknown>;
  /** Returns the device that has replaced a stop's device in a deploy; undefined if there is none. */
  readonly successorOf?: (stopCommand: StopCommand) => Pick<StopCommand, 'device'> | undefined;
  readonly warn: (stopCommand: StopCommand, sentence: string) => void;
  readonly giveUp: (stopCommand: StopCommand, error: Error) => void;
}

/**
 * Sends stops some time after their starts (docs/contract.md 2.5, `endAfter`). The journal writes a stop
 * before its start is sent, so that a crash leaves no door open unless the write has failed. No stop is sent
 * while a start of the same device output waits or is under way, since the start can replace the stop.
 */
export class AutoStopScheduler {
  readonly #store: PendingStopStore;
  readonly #stopsByTime = new MinHeap<PendingStop>();
  #isRunning = false;
  readonly #timer: DeadlineTimer;
  readonly #askings = new Set<Promise<void>>();

  constructor(private readonly options: AutoStopOptions) {
    this.#timer = new DeadlineTimer(() => this.#onTimer(), options.timing);
    this.#store = new PendingStopStore(options.journal);
    for (const persisted of this.#store.read()) this.#takeUp(persisted);
  }

  run(): void {
    this.#isRunning = true;
    void this.options.journal.batch(() => {
      this.#handOver();
      for (const output of [...this.#store.outputs()]) void this.#settle(output);
    });
    this.#setTimer();
  }

  /**
   * Moves pending stops to devices whose ids a deploy has changed. All moves are one change of the journal,
   * since a device can get the old id of another device.
   */
  #handOver(): void {
    const leaving = [...this.#store.outputs()].flatMap((output) => {
      const successor = output.pending && this.options.successorOf?.(output.pending.persisted);
      return output.pending && successor ? [{ output, pending: output.pending, successor }] : [];
    });
    for (const { output } of leaving) this.#replace(output, undefined);
    for (const { output, pending, successor } of leaving) {
      const other = this.#store.output(successor.device.id, output.name);
      other.pending ??= new PendingStop(other, { ...pending.persisted, ...successor }, pending.dueAt);
    }
  }

  /**
   * Sends each selected stop once, before the flows stop for good. Skips stops whose device output has a start
   * that waits or is under way, so the caller calls this again after these starts.
   * @returns a promise that resolves after these attempts and all attempts under way; undefined if there are
   * none
   */
  leave(isSelected: (persisted: PersistedStop) => boolean): Promise<void> | undefined {
    if (!this.#isRunning) return undefined;
    const soon = [...this.#store.outputs()].flatMap(({ pending }) =>
      // A stop that is not in the heap waits for a start or is under way.
      pending && pending.index >= 0 && isSelected(pending.persisted) ? [pending] : [],
    );
    if (soon.length === 0 && this.#askings.size === 0) return undefined;
    return this.#askAll(soon);
  }

  async #askAll(soon: readonly PendingStop[]): Promise<void> {
    for (const pending of soon) this.#stopsByTime.remove(pending);
    for (const [index, pending] of soon.entries()) {
      if (index > 0 && index % maxPerTurn === 0) await new Promise(setImmediate);
      // In the meantime, a new stop might have replaced this stop, or a start of the output might have begun.
      const { output } = pending;
      if (output.pending === pending && output.holds === 0) this.#begin(pending);
    }
    await Promise.all(this.#askings);
  }

  /** Aborts all attempts, and sends no stop until `run` is called. Pending stops stay in the journal. */
  close(): void {
    this.#isRunning = false;
    this.#timer.clear();
    for (const { pending } of this.#store.outputs()) {
      pending?.asking?.abort();
      if (pending) pending.asking = undefined;
    }
  }

  *pending(): Generator<PersistedStop> {
    for (const { pending } of this.#store.outputs()) if (pending) yield pending.persisted;
  }

  /**
   * Guards a start at a device output, with or without an auto-stop: no stop of the output is sent until the
   * guard is released.
   * @param others ids of the device under its other names; the start replaces the pending stops of these
   * names too
   */
  hold(deviceId: string, outputName: string, others: readonly string[] = []): StartGuard {
    const alike = others.map((id) => this.hold(id, outputName));
    const output = this.#store.output(deviceId, outputName);
    let armed: PendingStop | undefined;
    let isOpen = true;
    output.holds += 1;
    if (output.pending) this.#stopsByTime.remove(output.pending);
    const disarm = () => {
      if (armed) output.armed = output.armed.filter((other) => other !== armed);
    };
    return {
      arm: async (stopCommand) => {
        if (!isOpen) return;
        disarm();
        armed = this.#after(stopCommand, output);
        output.armed = [...output.armed, armed];
        await this.#store.write(output);
      },
      release: (happened) => {
        if (!isOpen) return undefined;
        isOpen = false;
        disarm();
        output.holds -= 1;
        if (happened) this.#replace(output, armed && this.#after(armed.persisted, output));
        const settled = this.#settle(output);
        if (alike.length === 0) return settled;
        return whenAll([settled, ...alike.map((hold) => hold.release(happened))]);
      },
    };
  }

  /**
   * Removes the pending stop of a device output, after any node has stopped the output.
   * @param others ids of the device under its other names
   * @returns a promise that resolves when the change is on disk or its write has failed; undefined if no
   * write is running
   */
  recordEnded(
    deviceId: string,
    outputName: string,
    others: readonly string[] = [],
  ): Promise<void> | undefined {
    const alike = others.map((id) => this.recordEnded(id, outputName));
    const output = this.#store.find(deviceId, outputName);
    if (!output?.pending) return whenAll([output?.writing, ...alike]);
    this.#replace(output, undefined);
    return whenAll([this.#settle(output), ...alike]);
  }

  /**
   * Schedules a stop from the journal. If the clock was set back, the time until the stop is limited to
   * `afterMs`.
   */
  #takeUp(persisted: PersistedStop): void {
    const output = this.#store.output(persisted.device.id, persisted.deviceOutput);
    const left = persisted.due - this.options.timing.now();
    if (left > persisted.afterMs) {
      output.pending = this.#after(persisted, output);
    } else {
      output.pending = new PendingStop(
        output,
        persisted,
        this.options.timing.monotonic() + Math.max(0, left),
      );
      output.written = output.pending;
    }
    void this.#settle(output);
  }

  #after(stopCommand: StopCommand, output: OutputStops): PendingStop {
    const { timing } = this.options;
    const persisted = { ...stopCommand, deviceOutput: output.name, due: timing.now() + stopCommand.afterMs };
    return new PendingStop(output, persisted, timing.monotonic() + stopCommand.afterMs);
  }

  #replace(output: OutputStops, pending: PendingStop | undefined): void {
    const old = output.pending;
    output.pending = pending;
    if (!old) return;
    this.#stopsByTime.remove(old);
    const { asking } = old;
    old.asking = undefined;
    asking?.abort();
  }

  #settle(output: OutputStops): Promise<void> | undefined {
    const { pending, holds } = output;
    if (pending && holds === 0 && !pending.asking && pending.index < 0) {
      this.#stopsByTime.add(pending);
      this.#setTimer();
    }
    const writing = this.#store.write(output);
    this.#store.forget(output);
    return writing;
  }

  #setTimer(): void {
    const { first } = this.#stopsByTime;
    if (this.#isRunning && first) this.#timer.set(first.dueAt);
  }

  #onTimer(): void {
    const now = this.options.timing.monotonic();
    for (let count = 0; count < maxPerTurn; count += 1) {
      const { first } = this.#stopsByTime;
      if (!first || first.dueAt > now) break;
      this.#stopsByTime.remove(first);
      this.#begin(first);
    }
    this.#setTimer();
  }

  #begin(pending: PendingStop): void {
    const asking = this.#ask(pending);
    this.#askings.add(asking);
    void asking.then(() => this.#askings.delete(asking));
  }

  /** Never rejects. */
  async #ask(pending: PendingStop): Promise<void> {
    const asking = new AbortController();
    pending.asking = asking;
    let failure: { readonly error: unknown } | undefined;
    try {
      await this.options.send(pending.persisted, asking.signal);
    } catch (error) {
      failure = { error };
    }
    // The stop was replaced or removed, or the scheduler was closed, while the attempt was under way. The
    // result of the attempt is ignored.
    if (pending.asking !== asking) return;
    pending.asking = undefined;
    const { output } = pending;
    if (!failure || this.#isHopeless(pending, failure.error)) this.#replace(output, undefined);
    else this.#askAgain(pending, failure.error);
    void this.#settle(output);
  }

  #isHopeless({ persisted, retries }: PendingStop, error: unknown): boolean {
    if (!retries.isHopeless(this.options.timing)) return false;
    callSafely(() => this.options.giveUp(persisted, surrenderOf(persisted, error)));
    return true;
  }

  #askAgain(pending: PendingStop, error: unknown): void {
    const { timing, warn } = this.options;
    const { persisted, retries } = pending;
    // An aborted stop is not a failure of the device.
    const isAborted = error instanceof DeviceError && error.code === 'ABORTED';
    pending.dueAt = isAborted ? retries.nextAt(timing) : retries.fail(timing);
    if (!isAborted && retries.failures === 1) callSafely(() => warn(persisted, failureOf(persisted, error)));
  }
}

function callSafely(words: () => void): void {
  try {
    words();
  } catch {
    // The callback reports errors, so an exception of the callback cannot be reported.
  }
}
