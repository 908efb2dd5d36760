import type { AlertState } from './alert';

/** What has happened to an alert. */
type AlertEvent = 'started' | 'updated' | 'pending' | 'reached' | 'cleared';

/** What the second output of an alert says. */
export type AlertNews = AlertState & {
  readonly event: AlertEvent;
  /** Of `reached`: what has been started where. */
  readonly device?: string;
  readonly operation?: string;
};

/**
 * In milliseconds: a start is told when all of it has been answered, or after this; and so long after a clear nothing is
 * told but that it is over.
 */
const momentMs = 1_000;

/** Tells what happens to an alert, each event by itself and in order. */
export class StateNotifier {
  /** Told what is so now, each time that something may have changed. */
  onState: (state: AlertState) => void = () => {};
  /** As it was seen last. */
  #state: AlertState['state'];
  /** Who was pending when something was told last. */
  #pending: string;
  /** A start that has not been told yet, and the alert as it was seen since while it was on. */
  #begun: { readonly event: AlertEvent; state: AlertState; readonly stop: () => void } | undefined;
  #quiet: NodeJS.Timeout | undefined;
  #isNoted = false;
  #isClosed = false;

  constructor(
    private readonly read: () => AlertState,
    private readonly send: (news: AlertNews) => void,
  ) {
    const state = read();
    this.#state = state.state;
    this.#pending = pendingIn(state);
  }

  /** Something may have changed. */
  note(): void {
    if (this.#isNoted) return;
    this.#isNoted = true;
    setImmediate(() => {
      this.#isNoted = false;
      if (this.#isClosed) return;
      try {
        this.onState(this.read());
        this.look();
      } catch {
        // Whoever is told cannot keep an alert from its course.
      }
    });
  }

  /**
   * A start has taken effect.
   * @returns what says that all of it has been answered
   */
  begin(event: 'started' | 'updated'): () => void {
    this.tellStart();
    const state = this.read();
    const timer = setTimeout(() => tell(), momentMs).unref();
    const begun = { event, state, stop: () => clearTimeout(timer) };
    const tell = () => {
      if (this.#begun !== begun) return;
      this.look();
      this.tellStart();
    };
    this.#begun = begun;
    this.#see(state);
    return tell;
  }

  /** Something that had failed has been started at last. */
  reached(device: string, operation: string): void {
    this.look();
    this.#tell({ ...this.read(), event: 'reached', device, operation });
  }

  /** Tells a start that has not been told yet: something else follows. */
  tellStart(): void {
    const begun = this.#begun;
    if (!begun) return;
    this.#begun = undefined;
    begun.stop();
    this.#tell({ ...begun.state, event: begun.event });
  }

  /** Tells at once what has changed, if anything has. */
  look(): void {
    const state = this.read();
    if (this.#begun && state.state === 'active') this.#begun.state = state;
    const before = this.#state;
    this.#see(state);
    if (state.state === 'idle') {
      if (before !== 'idle') this.#tell({ ...state, event: 'cleared' });
    } else if (!this.#quiet && pendingIn(state) !== this.#pending) this.#tell({ ...state, event: 'pending' });
  }

  close(): void {
    this.#isClosed = true;
    this.#begun?.stop();
    clearTimeout(this.#quiet);
  }

  #see({ state }: AlertState): void {
    if (state !== 'clearing' || this.#state !== 'clearing') {
      clearTimeout(this.#quiet);
      this.#quiet = undefined;
    }
    if (state === 'clearing' && this.#state !== 'clearing') {
      this.#quiet = setTimeout(() => {
        this.#quiet = undefined;
        this.note();
      }, momentMs).unref();
    }
    this.#state = state;
  }

  #tell(news: AlertNews): void {
    if (this.#isClosed) return;
    this.tellStart();
    this.#pending = pendingIn(news);
    this.send(news);
  }
}

function pendingIn({ waiting }: AlertState): string {
  return JSON.stringify([...waiting].sort());
}
