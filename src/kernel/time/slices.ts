const maxSliceMs = 10;

/**
 * Splits long work into slices with pauses between the slices. Without pauses, long work would block all of
 * Node-RED, including emergency commands to other devices.
 */
export class Slices {
  #since = performance.now();
  #counted = 0;

  /** @param stepsLeft maximum number of steps, after which the work stops unfinished */
  constructor(private stepsLeft = Number.POSITIVE_INFINITY) {}

  take(steps: number): boolean {
    this.stepsLeft -= steps;
    return !this.isUsedUp;
  }

  get isUsedUp(): boolean {
    return this.stepsLeft < 0;
  }

  get isOver(): boolean {
    return performance.now() - this.#since > maxSliceMs;
  }

  /** Counts a step. Returns whether the slice is over, but only at every `steps`-th step: few steps need no pause. */
  isOverAt(steps: number): boolean {
    this.#counted += 1;
    return this.#counted % steps === 0 && this.isOver;
  }

  async next(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  }
}
