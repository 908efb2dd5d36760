/** What the engine needs of the surroundings. */
export interface EngineClock {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds of a clock that never jumps. */
  monotonic(): number;
  /** From 0 up to 1. */
  random(): number;
}
