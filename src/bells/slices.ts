/** How long this room works before it lets others have their turn, in milliseconds. */
const longestMs = 10;

/**
 * Work in slices, since what takes long here would hold up all of Node-RED, emergencies at other devices
 * included.
 */
export class Slices {
  #since = performance.now();

  /** Whether it is time to let others have their turn: `if (slices.isOver) await slices.next();` */
  get isOver(): boolean {
    return performance.now() - this.#since > longestMs;
  }

  /** Goes on when the others had theirs. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  }
}
