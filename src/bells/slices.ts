/** How long this room works before it lets others have their turn, in milliseconds. */
const maxSliceMs = 10;

/**
 * Work in slices, since what takes long here would hold up all of Node-RED, emergencies at other devices
 * included.
 */
export class Slices {
  #since = performance.now();

  /** @param stepsLeft so many may be taken in all: what is too much for that is not worked through */
  constructor(private stepsLeft = Number.POSITIVE_INFINITY) {}

  /** Takes steps. Returns false once there have been more than may be. */
  take(steps: number): boolean {
    this.stepsLeft -= steps;
    return !this.isUsedUp;
  }

  /** Whether what was worked through is not whole, since it is too much. */
  get isUsedUp(): boolean {
    return this.stepsLeft < 0;
  }

  /** Whether it is time to let others have their turn: `if (slices.isOver) await slices.next();` */
  get isOver(): boolean {
    return performance.now() - this.#since > maxSliceMs;
  }

  /** Goes on when the others had theirs. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  }
}
