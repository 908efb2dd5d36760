import type { Node } from 'node-red';
import { type Clock, realClock } from '../../time/clock';

/** Refusals this long after the first of them are counted, in milliseconds. */
const windowMs = 1_000;

/** A flow of Node-RED, which logs an error that no Catch node takes. */
interface LoggingFlow {
  log?(entry: { readonly id?: unknown }): void;
}

/**
 * Ends the messages that a full queue refuses. Catch nodes get each error; the log and the debug sidebar get the first
 * one, and a count of the others. A burst would else write one line for each of thousands of messages.
 */
export class RefusalLog {
  /** Refusals that were not logged, while the window is open. */
  #count = 0;
  #closeWindow: (() => void) | undefined;

  /** @param log writes one line for the node */
  constructor(
    private readonly node: Node,
    private readonly log: (line: string) => void,
    private readonly clock: Pick<Clock, 'after'> = realClock,
  ) {}

  /** @param done hands the error of one refused message to Node-RED */
  end(done: () => void): void {
    if (this.#closeWindow) {
      this.#counted(done);
      return;
    }
    this.#closeWindow = this.clock.after(windowMs, () => this.flush());
    done();
  }

  /** Logs the count, if there is one. */
  flush(): void {
    this.#closeWindow?.();
    this.#closeWindow = undefined;
    if (this.#count > 0) this.log(`${this.#count} more messages were refused, because too many were waiting`);
    this.#count = 0;
  }

  /** Node-RED logs through the node's flow, within the call. */
  #counted(done: () => void): void {
    const { id, _flow: flow } = this.node as Node & { readonly _flow?: LoggingFlow };
    const log = flow?.log;
    if (!log) {
      done();
      return;
    }
    flow.log = (entry) => {
      if (entry.id === id) this.#count += 1;
      else log.call(flow, entry);
    };
    try {
      done();
    } finally {
      // The flow inherits its own.
      delete flow.log;
    }
  }
}
