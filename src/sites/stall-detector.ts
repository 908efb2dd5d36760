/** Without anything to do, time is looked at so often, in milliseconds: to notice that the process stood still. */
export const idleMs = 500;

/** Looked at so much too late, in milliseconds: the process stood still. */
const lateMs = 500;

/** Whether this process was frozen, or busy, for so long that what it reads now may be as old as that. */
export class StallDetector {
  /** What is read may be so old, in milliseconds. */
  staleMs = 0;

  /** @param aliveAt when it surely did not stand still, on the clock that never jumps */
  constructor(private aliveAt: number) {}

  look(now: number): void {
    this.aliveAt = now;
  }

  /** @returns for how long at least it stood still until now, in milliseconds, unless that was said before */
  since(now: number): number {
    const ms = now - this.aliveAt - idleMs;
    if (ms < lateMs) return 0;
    this.aliveAt = now;
    this.staleMs = ms + idleMs;
    return ms;
  }
}
