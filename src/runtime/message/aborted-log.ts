/**
 * Logs how many messages were aborted because their node was closed. A full deploy has already removed the Catch
 * nodes and the node's own log, so the messages would otherwise vanish without a trace.
 */
export class AbortedLog {
  #first = '';
  #count = 0;

  constructor(private readonly log: (line: string) => void) {}

  /** Counts a message that ended with this error, if the error says that the message was aborted. */
  add(error: (Error & { readonly code?: unknown }) | undefined): void {
    if (error?.code !== 'ABORTED') return;
    if (this.#count === 0) this.#first = error.message;
    this.#count += 1;
  }

  /** To be called when the node has no message any more. */
  flush(): void {
    if (this.#count > 0)
      this.log(
        this.#count === 1 ? this.#first : `${this.#count} messages were aborted; the first: ${this.#first}`,
      );
    this.#count = 0;
  }
}
