import { loadScript } from '../page/load';

/** A ring of a bell on one day. */
export interface Ring {
  readonly evid: unknown;
  readonly name: unknown;
  readonly start_time: unknown;
  readonly color?: unknown;
  readonly skipped?: unknown;
  /** The index of the bell in the form, if it comes from the form. */
  readonly place?: number;
}

/** Rings by date. */
export type Rings = Readonly<Record<string, readonly Ring[]>>;

/** The view that draws rings as a week. */
export interface Week {
  show(element: HTMLElement, rings: Rings): void;
}

declare global {
  interface Window {
    /** The week view, which its own script defines when the user opens it. */
    algoWeek?: Week;
  }
}

export function loadWeek(): Promise<Week> {
  return loadScript('algo-week.js', () => window.algoWeek);
}
