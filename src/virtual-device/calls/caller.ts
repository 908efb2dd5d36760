import { callSeconds, maxRunningEvents, maxWaitingEvents } from '../choices';
import type { Clock } from '../clock/clock';
import { type Call, type CallReach, prepareCall } from './call';
import { exchange } from './exchange';
import type { Signatory } from './header-text';
import { type CallAnswer, CallError, refusal, stoppedWith } from './result';

export interface CallerOptions {
  readonly reach: CallReach;
  /**
   * Whether the device may send the calls of its schedule. Other computers might have written the schedule.
   */
  readonly isScheduleTrusted: () => boolean;
  /** Returns the current password and time, and the form of the signed URI, for signatures. */
  readonly signatory: () => Signatory;
  /** The real clock, independent of the device's clock; limits the duration of calls. */
  readonly outside: Clock;
  /**
   * Called after each call. Must not throw.
   * @param event name of the scheduled event that caused the call
   */
  readonly called: (call: Call, event: string | undefined, result: CallAnswer | CallError) => void;
}

const untrusted =
  'other computers could write this schedule, so the device sends its requests only if its command line has --calls loopback or --calls any';

interface Run {
  readonly event?: { readonly id: number; readonly name: string };
  readonly calls: readonly Call[];
  readonly onResult?: (result: CallAnswer | CallError) => void;
  /** Number of calls with a result. */
  reported: number;
}

/**
 * Sends the calls of a device. The calls of one event are sent in order, one at a time, without retries. Up
 * to `maxRunningEvents` events run in parallel, but no event runs twice at the same time.
 */
export class Caller {
  readonly #options: CallerOptions;
  readonly #waiting: Run[] = [];
  /** The running events and commands, each with its end. */
  readonly #running = new Map<Run, Promise<void>>();
  /** Ends the calls that run; replaced at each stop. */
  #end = new AbortController();

  constructor(options: CallerOptions) {
    this.#options = options;
  }

  carryOut(event: { readonly id: number; readonly name: string }, calls: readonly Call[]): void {
    this.#add({ event, calls, reported: 0 });
  }

  /**
   * Sends one call. Rejects with a CallError if no complete answer arrived; a body that is too long is cut.
   */
  call(call: Call): Promise<CallAnswer> {
    return new Promise((resolve, reject) => {
      const onResult = (result: CallAnswer | CallError): void => {
        if (result instanceof CallError) reject(result);
        else resolve(result);
      };
      this.#add({ calls: [call], onResult, reported: 0 });
    });
  }

  /** Number of calls without a result. */
  get pending(): number {
    return [...this.#running.keys(), ...this.#waiting].reduce(
      (sum, { calls, reported }) => sum + calls.length - reported,
      0,
    );
  }

  /**
   * Ends the running calls, and resolves when they have ended. The other calls are not sent, with one report for
   * each event.
   */
  async stop(): Promise<void> {
    const ends = [...this.#running.values()];
    for (const run of this.#waiting.splice(0)) this.#reportUnsent(run, run.calls, stoppedWith('not-sent'));
    this.#end.abort();
    this.#end = new AbortController();
    await Promise.all(ends);
  }

  #add(run: Run): void {
    if (this.#waiting.length >= maxWaitingEvents) {
      this.#reportUnsent(run, run.calls, new CallError('not-sent', 'too many calls wait', 'full'));
      return;
    }
    this.#waiting.push(run);
    this.#next();
  }

  #next(): void {
    while (this.#running.size < maxRunningEvents) {
      const busy = new Set([...this.#running.keys()].map(({ event }) => event?.id));
      const index = this.#waiting.findIndex(({ event }) => !event || !busy.has(event.id));
      const [run] = index < 0 ? [] : this.#waiting.splice(index, 1);
      if (!run) return;
      const fail = (error: unknown) => process.emitWarning(`calls of a virtual device failed: ${error}`);
      this.#running.set(run, this.#run(run).catch(fail));
    }
  }

  async #run(run: Run): Promise<void> {
    const { signal: stopped } = this.#end;
    try {
      for (const [index, call] of run.calls.entries()) {
        if (stopped.aborted) {
          this.#reportUnsent(run, run.calls.slice(index), stoppedWith('not-sent'));
          break;
        }
        this.#report(run, call, await this.#send(run, call, stopped));
        // Thousands of calls that are not sent would otherwise take one turn of the event loop.
        await new Promise(setImmediate);
      }
    } finally {
      this.#running.delete(run);
      this.#next();
    }
  }

  #reportUnsent(run: Run, calls: readonly Call[], { outcome, message, state }: CallError): void {
    const [first] = calls;
    const more = calls.length > 1 ? `, and ${calls.length - 1} more of this event are not sent` : '';
    if (first) this.#report(run, first, new CallError(outcome, `${message}${more}`, state));
  }

  #report(run: Run, call: Call, result: CallAnswer | CallError): void {
    run.reported += 1;
    this.#options.called(call, run.event?.name, result);
    run.onResult?.(result);
  }

  async #send({ event }: Run, call: Call, stopped: AbortSignal): Promise<CallAnswer | CallError> {
    const { reach, isScheduleTrusted, signatory, outside } = this.#options;
    const late = new AbortController();
    const timer = outside.setTimeout(() => late.abort(), callSeconds * 1000);
    try {
      if (event && !isScheduleTrusted()) throw refusal(untrusted);
      const prepared = prepareCall(call, reach, signatory());
      return await exchange(prepared, AbortSignal.any([stopped, late.signal]));
    } catch (error) {
      const failed = error instanceof CallError ? error : refusal(String(error));
      if (!stopped.aborted) return failed;
      return stoppedWith(failed.outcome === 'timed-out' ? 'broken' : failed.outcome);
    } finally {
      timer.cancel();
    }
  }
}
