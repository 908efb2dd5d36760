import type { AlertState } from './alert';

/** So long, in milliseconds, what a message brings about is gathered before it is told. */
const momentMs = 1_000;

/** Tells every change of an alert's state and of what is waiting: what happens in one moment is one change. */
export class Teller {
  /** Told what is so now, each time that something may have changed. */
  onState: (state: AlertState) => void = () => {};
  #last: string;
  #isNoted = false;
  #holds = 0;
  #isClosed = false;

  constructor(
    private readonly read: () => AlertState,
    private readonly send: (state: AlertState) => void,
  ) {
    this.#last = keyOf(read());
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
        if (this.#holds === 0) this.tell();
      } catch {
        // Whoever is told cannot keep an alert from its course.
      }
    });
  }

  /**
   * A message is on its way: what changes meanwhile is told when it is through, or after a moment.
   * @returns what ends that
   */
  hold(): () => void {
    this.#holds += 1;
    let isHolding = true;
    const end = () => {
      clearTimeout(timer);
      if (!isHolding) return;
      isHolding = false;
      this.#holds -= 1;
      if (this.#holds === 0) this.note();
    };
    const timer = setTimeout(end, momentMs).unref();
    return end;
  }

  /** Tells at once what has changed, if anything has. */
  tell(): void {
    if (this.#isClosed) return;
    const state = this.read();
    const key = keyOf(state);
    if (key === this.#last) return;
    this.#last = key;
    this.send(state);
  }

  close(): void {
    this.#isClosed = true;
  }
}

function keyOf({ state, waiting }: AlertState): string {
  return JSON.stringify([state, waiting]);
}
