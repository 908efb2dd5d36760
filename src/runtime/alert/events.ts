import { backgroundClock, type Clock } from '../../kernel/time/clock';
import type { AlertState } from './alert';
import type { AlertReport } from './reports';

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

const listsPending: ReadonlySet<AlertEvent> = new Set(['started', 'updated', 'pending', 'cleared']);

/** The events of one alert. `look` finds those that follow from the state of the alert. */
export class AlertEvents {
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
  #isClosed = false;

  constructor(
    private readonly read: () => AlertState,
    private readonly send: (news: AlertNews) => void,
    private readonly readReport: () => AlertReport | undefined = () => undefined,
    private readonly clock: Pick<Clock, 'after'> = backgroundClock,
  ) {
    const state = read();
    this.#state = state.state;
    this.#pending = pendingIn(state);
  }

  /**
   * Prepares the event of a start that has taken effect. The event is sent after all responses, at the latest
   * after `momentMs`.
   * @returns a function to call when all requests of the start are answered
   */
  begin(event: 'started' | 'updated'): () => void {
    this.tellStart();
    const state = this.read();
    const begun = { event, state, stop: this.#afterMoment(() => tell()) };
    const tell = () => {
      if (this.#begun !== begun) return;
      this.look();
      this.tellStart();
    };
    this.#begun = begun;
    // The event of the start contains these pending devices, so no `pending` event follows.
    this.#pending = pendingIn(state);
    this.#see(state);
    return tell;
  }

  /** Sends the event that `begin` has prepared, unless the event was already sent. */
  tellStart(): void {
    const begun = this.#begun;
    if (!begun) return;
    this.#begun = undefined;
    begun.stop();
    this.#tell({ ...begun.state, event: begun.event });
  }

  tell(event: 'acknowledged' | 'unacknowledged'): void;
  tell(event: 'reached', started: Pick<AlertNews, 'device' | 'operation'>): void;
  tell(event: AlertEvent, started?: Pick<AlertNews, 'device' | 'operation'>): void {
    this.#tell({ ...this.look(), event, ...started });
  }

  /** Sends `cleared` if the alert is idle, also if it already was when Node-RED started. */
  tellEnd(state = this.read()): void {
    const report = state.state === 'idle' ? this.readReport() : undefined;
    if (state.state === 'idle') this.#tell({ ...state, event: 'cleared', ...(report && { report }) });
  }

  /**
   * Sends a `cleared` event if a clear has ended, or a `pending` event if the pending devices have changed.
   * Sends no `pending` event within `momentMs` after a clear.
   */
  look(): AlertState {
    const state = this.read();
    if (this.#begun && state.state === 'active') this.#begun.state = state;
    const before = this.#state;
    this.#see(state);
    if (state.state === 'idle') {
      if (before !== 'idle') this.tellEnd(state);
    } else if (!this.#quiet && pendingIn(state) !== this.#pending) this.#tell({ ...state, event: 'pending' });
    return state;
  }

  close(): void {
    this.#isClosed = true;
    this.#begun?.stop();
    this.#quiet?.();
  }

  #see({ state }: AlertState): void {
    const isCleared = state === 'clearing' && this.#state !== 'clearing';
    this.#state = state;
    // A new start within `momentMs` after a clear does not cancel the timer.
    if (state !== 'idle' && !isCleared) return;
    this.#quiet?.();
    this.#quiet = undefined;
    if (!isCleared) return;
    this.#quiet = this.#afterMoment(() => {
      this.#quiet = undefined;
      this.look();
    });
  }

  #afterMoment(task: () => void): () => void {
    return this.clock.after(momentMs, () => {
      try {
        task();
      } catch {
        // An exception of a callback must not end Node-RED.
      }
    });
  }

  #tell(news: AlertNews): void {
    if (this.#isClosed) return;
    this.tellStart();
    // An event outside `listsPending` does not replace a `pending` event that is still to come.
    if (listsPending.has(news.event)) this.#pending = pendingIn(news);
    this.send(news);
  }
}

function pendingIn({ pending }: AlertState): string {
  return JSON.stringify([...pending].sort());
}
