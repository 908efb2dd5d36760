import { backgroundClock, type Clock } from '../../time/clock';
import type { AlertState } from './alert';
import type { AlertReport } from './report';

type AlertEvent =
  | 'started'
  | 'updated'
  | 'pending'
  | 'reached'
  | 'cleared'
  | 'acknowledged'
  | 'unacknowledged';

export type AlertNews = AlertState & {
  readonly event: AlertEvent;
  /** For `reached` only: the device, and the operation that was started there. */
  readonly device?: string;
  readonly operation?: string;
  readonly report?: AlertReport;
};

/**
 * Maximum wait for the responses to a start before its event is sent, in milliseconds. For the same time
 * after a clear, no `pending` event is sent.
 */
const momentMs = 1_000;

/** A shorter rest between two checks is left out, in milliseconds. */
const minRestMs = 10;

const listsPending: ReadonlySet<AlertEvent> = new Set(['started', 'updated', 'pending', 'cleared']);

export class StateNotifier {
  onState: (state: AlertState) => void = () => {};
  #state: AlertState['state'];
  /** The pending devices as of the last event of a kind in `listsPending`, as JSON. */
  #pending: string;
  /**
   * The start whose event was not sent yet, with the last state in which the alert was on; undefined if there
   * is none.
   */
  #begun: { readonly event: AlertEvent; state: AlertState; readonly stop: () => void } | undefined;
  /** Cancels the timer that runs for `momentMs` after a clear; undefined if the timer does not run. */
  #quiet: (() => void) | undefined;
  #isNoted = false;
  /** Time from the next change to its check, in milliseconds. */
  #restMs = 0;
  #isClosed = false;

  constructor(
    private readonly read: () => AlertState,
    private readonly send: (news: AlertNews) => void,
    private readonly readReport: () => AlertReport | undefined = () => undefined,
    private readonly timing: Pick<Clock, 'after' | 'monotonic'> & { soon(task: () => void): void } = {
      ...{ after: backgroundClock.after, monotonic: backgroundClock.monotonic },
      soon: setImmediate,
    },
  ) {
    const state = read();
    this.#state = state.state;
    this.#pending = pendingIn(state);
  }

  /**
   * Checks the state soon, after a possible change. Several calls in one turn of the event loop lead to one
   * check. The checks take at most a tenth of the time, since the state of an alert can be large.
   */
  handleChange(): void {
    if (this.#isNoted) return;
    this.#isNoted = true;
    if (this.#restMs > minRestMs) this.timing.after(this.#restMs, () => this.#check());
    else this.timing.soon(() => this.#check());
  }

  #check(): void {
    this.#isNoted = false;
    if (this.#isClosed) return;
    const began = this.timing.monotonic();
    try {
      this.onState(this.read());
      this.look();
    } catch {
      // An exception of a callback must not stop the alert.
    }
    this.#restMs = 10 * (this.timing.monotonic() - began);
  }

  /**
   * Prepares the event of a start that has taken effect. The event is sent after all responses, at the latest
   * after `momentMs`.
   * @returns a function to call when all requests of the start are answered
   */
  begin(event: 'started' | 'updated'): () => void {
    this.notifyStart();
    const state = this.read();
    const begun = { event, state, stop: this.timing.after(momentMs, () => notify()) };
    const notify = () => {
      if (this.#begun !== begun) return;
      this.look();
      this.notifyStart();
    };
    this.#begun = begun;
    // The event of the start contains these pending devices, so no `pending` event follows.
    this.#pending = pendingIn(state);
    this.#see(state);
    return notify;
  }

  reached(device: string, operation: string): void {
    this.look();
    this.#notify({ ...this.read(), event: 'reached', device, operation });
  }

  ended(): void {
    const state = this.read();
    if (state.state === 'idle') this.#notifyEnd(state);
  }

  acknowledged(event: 'acknowledged' | 'unacknowledged'): void {
    this.look();
    this.#notify({ ...this.read(), event });
  }

  /** Sends the event that `begin` has prepared, unless the event was already sent. */
  notifyStart(): void {
    const begun = this.#begun;
    if (!begun) return;
    this.#begun = undefined;
    begun.stop();
    this.#notify({ ...begun.state, event: begun.event });
  }

  /**
   * Sends a `cleared` event if a clear has ended, or a `pending` event if the pending devices have changed.
   * Sends no `pending` event within `momentMs` after a clear.
   */
  look(): void {
    const state = this.read();
    if (this.#begun && state.state === 'active') this.#begun.state = state;
    const before = this.#state;
    this.#see(state);
    if (state.state === 'idle') {
      if (before !== 'idle') this.#notifyEnd(state);
    } else if (!this.#quiet && pendingIn(state) !== this.#pending)
      this.#notify({ ...state, event: 'pending' });
  }

  close(): void {
    this.#isClosed = true;
    this.#begun?.stop();
    this.#quiet?.();
  }

  #notifyEnd(state: AlertState): void {
    const report = this.readReport();
    this.#notify({ ...state, event: 'cleared', ...(report && { report }) });
  }

  #see({ state }: AlertState): void {
    // A new start within `momentMs` after a clear does not cancel the timer.
    if (state === 'idle' || (state === 'clearing' && this.#state !== 'clearing')) {
      this.#quiet?.();
      this.#quiet = undefined;
    }
    if (state === 'clearing' && this.#state !== 'clearing') {
      this.#quiet = this.timing.after(momentMs, () => {
        this.#quiet = undefined;
        this.handleChange();
      });
    }
    this.#state = state;
  }

  #notify(news: AlertNews): void {
    if (this.#isClosed) return;
    this.notifyStart();
    // An event outside `listsPending` does not replace a `pending` event that is still to come.
    if (listsPending.has(news.event)) this.#pending = pendingIn(news);
    this.send(news);
  }
}

function pendingIn({ pending }: AlertState): string {
  return JSON.stringify([...pending].sort());
}
