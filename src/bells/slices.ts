/** Maximum time without a pause for other work of Node-RED, in milliseconds. */
const maxSliceMs = 10;

/**
 * Splits long work into slices with pauses. Without pauses, long work would block Node-RED, including
 * emergencies at other devices.
 */
export class Slices {
  #since = performance.now();

  /** @param stepsLeft maximum number of steps; work beyond them stays undone */
  constructor(private stepsLeft = Number.POSITIVE_INFINITY) {}

  /** Counts steps. Returns whether the work may go on. */
  take(steps: number): boolean {
    this.stepsLeft -= steps;
    return !this.isUsedUp;
  }

  /** Whether the maximum was exceeded, so that the work is incomplete. */
  get isUsedUp(): boolean {
    return this.stepsLeft < 0;
  }

  /** Whether a pause is due: `if (slices.isOver) await slices.next();` */
  get isOver(): boolean {
    return performance.now() - this.#since > maxSliceMs;
  }

  /** Pauses for other work. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  }
}
