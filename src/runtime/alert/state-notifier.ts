import { backgroundClock, type Clock } from '../../time/clock';
import type { AlertState } from './alert';
import type { Report } from './report';

type AlertEvent =
  | 'started'
  | 'updated'
  | 'pending'
  | 'reached'
  | 'cleared'
  | 'acknowledged'
  | 'unacknowledged';

/** The payload of an alert's second output. */
export type AlertNews = AlertState & {
  readonly event: AlertEvent;
  /** For `reached` only: the device, and the operation that was started there. */
  readonly device?: string;
  readonly operation?: string;
  /** For `cleared` only: the report of the alert. */
  readonly report?: Report;
};

/**
 * Maximum wait for the responses to a start before the start is reported, in milliseconds. For the same time
 * after a clear, pending devices are not reported.
 */
const momentMs = 1_000;

export class StateNotifier {
  /** Called with the current state after each possible change. */
  onState: (state: AlertState) => void = () => {};
  #state: AlertState['state'];
  /** The pending devices at the last report, as one text. */
  #pending: string;
  /**
   * The start that is not reported yet, with the last state in which the alert was on; undefined without such
   * a start.
   */
  #begun: { readonly event: AlertEvent; state: AlertState; readonly stop: () => void } | undefined;
  /** Cancels the timer of the moment after a clear; undefined outside of this moment. */
  #quiet: (() => void) | undefined;
  #isNoted = false;
  #isClosed = false;

  constructor(
    private readonly read: () => AlertState,
    private readonly send: (news: AlertNews) => void,
    private readonly readReport: () => Report | undefined = () => undefined,
    private readonly timing: Pick<Clock, 'after'> & { soon(task: () => void): void } = {
      after: backgroundClock.after,
      soon: setImmediate,
    },
  ) {
    const state = read();
    this.#state = state.state;
    this.#pending = pendingIn(state);
  }

  /**
   * Checks the state soon, after a possible change. Several calls in one turn of the event loop lead to one
   * check.
   */
  handleChange(): void {
    if (this.#isNoted) return;
    this.#isNoted = true;
    this.timing.soon(() => {
      this.#isNoted = false;
      if (this.#isClosed) return;
      try {
        this.onState(this.read());
        this.look();
      } catch {
        // An exception of a listener must not stop the alert.
      }
    });
  }

  /**
   * Prepares the report of a start that has taken effect. The start is reported after its responses, at the
   * latest after `momentMs`.
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
    // The start reports this list.
    this.#pending = pendingIn(state);
    this.#see(state);
    return notify;
  }

  reached(device: string, operation: string): void {
    this.look();
    this.#notify({ ...this.read(), event: 'reached', device, operation });
  }

  /** Reports the end of an alert that was clearing when Node-RED ended. */
  ended(): void {
    const state = this.read();
    if (state.state === 'idle') this.#notifyEnd(state);
  }

  /** Reports that a person has acknowledged the alert, or that the time for an acknowledgement has passed. */
  acknowledged(event: 'acknowledged' | 'unacknowledged'): void {
    this.look();
    this.#notify({ ...this.read(), event });
  }

  /** Reports the start that is not reported yet, before another event. Has no effect without such a start. */
  notifyStart(): void {
    const begun = this.#begun;
    if (!begun) return;
    this.#begun = undefined;
    begun.stop();
    this.#notify({ ...begun.state, event: begun.event });
  }

  /** Reports the end of a clear, or a change of the pending devices, immediately. */
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
    // Another start within the moment does not end it.
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
    this.#pending = pendingIn(news);
    this.send(news);
  }
}

function pendingIn({ pending }: AlertState): string {
  return JSON.stringify([...pending].sort());
}
