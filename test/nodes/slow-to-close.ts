/** A node type whose node keeps a deploy waiting until a test lets it go on. */
export class SlowToClose {
  isFree = false;
  #done = () => {};
  #onClosing = () => {};

  readonly register = (RED: { nodes: Record<string, (...given: unknown[]) => void> }) => {
    const slow = this;
    RED.nodes.registerType?.('slow-to-close', function (this: NodeJS.EventEmitter, config: unknown) {
      RED.nodes.createNode?.(this, config);
      this.on('close', (_removed: boolean, done: () => void) => slow.#close(done));
    });
  };

  /** Resolves when the next deploy waits. */
  closing(): Promise<void> {
    return new Promise((resolve) => {
      this.#onClosing = resolve;
    });
  }

  letGo(): void {
    this.isFree = true;
    this.#done();
  }

  #close(done: () => void): void {
    this.#done = done;
    if (this.isFree) done();
    else this.#onClosing();
  }
}
