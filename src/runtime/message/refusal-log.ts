import type { Node } from 'node-red';
import { type Clock, realClock } from '../../time/clock';

/** Time after a logged refusal in which further refusals are only counted, in milliseconds. */
const windowMs = 1_000;

/** A flow of Node-RED, whose `log` writes the errors that no Catch node handles. */
interface LoggingFlow {
  log?(entry: { readonly id?: unknown }): void;
}

/**
 * Limits the log lines for messages that a full queue refuses: the first error and then a count, since a
 * burst would otherwise write thousands of lines. Catch nodes get every error.
 */
export class RefusalLog {
  #count = 0;
  #closeWindow: (() => void) | undefined;

  constructor(
    private readonly node: Node,
    private readonly log: (line: string) => void,
    private readonly clock: Pick<Clock, 'after'> = realClock,
  ) {}

  end(done: () => void): void {
    if (this.#closeWindow) {
      this.#counted(done);
      return;
    }
    this.#closeWindow = this.clock.after(windowMs, () => this.flush());
    done();
  }

  flush(): void {
    this.#closeWindow?.();
    this.#closeWindow = undefined;
    if (this.#count > 0) this.log(`${this.#count} more messages were rejected because the queue was full`);
    this.#count = 0;
  }

  /**
   * Finishes a message whose error is counted but not logged. Node-RED logs through the node's flow, so the
   * flow's `log` is replaced during this call.
   */
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
      delete flow.log;
    }
  }
}
