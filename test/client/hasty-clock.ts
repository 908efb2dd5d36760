import { setTimeout as sleep } from 'node:timers/promises';

/** So many times faster than life: the order's 2 s pass in 20 ms, and its minute in 0.6 s. */
const haste = 100;

let thisTurn: number | undefined;

/** For `Environment`. Stands still for a turn of the event loop, so that all who look judge by the same time. */
export const clock = {
  /** Milliseconds. */
  monotonic: (): number => {
    if (thisTurn === undefined) {
      thisTurn = performance.now() * haste;
      setImmediate(() => {
        thisTurn = undefined;
      });
    }
    return thisTurn;
  },
  after: (ms: number, task: () => void): (() => void) => {
    const timer = setTimeout(task, ms / haste);
    return () => clearTimeout(timer);
  },
};

/** Lets so many milliseconds of this clock pass. */
export const pass = (ms: number): Promise<void> => sleep(ms / haste);
