import { callSeconds } from '../choices';
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
  'other computers might have written this schedule, so the device sends its requests only if its command line has --calls loopback or --calls any';

/** Sends the calls of a device. Events and commands do not wait for each other. */
export class Caller {
  readonly #options: CallerOptions;
  readonly #running = new Set<Promise<unknown>>();
  /** Ends the calls that run; replaced at each stop. */
  #end = new AbortController();

  constructor(options: CallerOptions) {
    this.#options = options;
  }

  /** Sends the calls of an event in order, one at a time, without retries. */
  carryOut(event: string, calls: readonly Call[]): void {
    void this.#run(calls, event);
  }

  /**
   * Sends one call. Rejects with a CallError if no complete answer arrived; a body that is too long is cut.
   */
  async call(call: Call): Promise<CallAnswer> {
    const [result] = await this.#run([call]);
    if (!result || result instanceof CallError) throw result;
    return result;
  }

  /** Ends the running calls, and resolves when all calls have a result. The other calls are not sent. */
  async stop(): Promise<void> {
    this.#end.abort();
    this.#end = new AbortController();
    await Promise.all(this.#running);
  }

  #run(calls: readonly Call[], event?: string): Promise<readonly (CallAnswer | CallError)[]> {
    const run = this.#sendAll(calls, event, this.#end.signal);
    this.#running.add(run);
    void run.finally(() => this.#running.delete(run));
    return run;
  }

  async #sendAll(
    calls: readonly Call[],
    event: string | undefined,
    stopped: AbortSignal,
  ): Promise<readonly (CallAnswer | CallError)[]> {
    const results: (CallAnswer | CallError)[] = [];
    for (const call of calls) {
      const result = await this.#send(call, event, stopped);
      this.#options.called(call, event, result);
      results.push(result);
    }
    return results;
  }

  async #send(call: Call, event: string | undefined, stopped: AbortSignal): Promise<CallAnswer | CallError> {
    const { reach, isScheduleTrusted, signatory, outside } = this.#options;
    const late = new AbortController();
    const timer = outside.setTimeout(() => late.abort(), callSeconds * 1000);
    try {
      if (stopped.aborted) return stoppedWith('not-sent');
      if (event !== undefined && !isScheduleTrusted()) throw refusal(untrusted);
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
