import { loadScript } from '../page/load';

/** Something that rings. */
export interface Ring {
  readonly evid: unknown;
  readonly name: unknown;
  readonly start_time: unknown;
  readonly color?: unknown;
  readonly skipped?: unknown;
  /** The place of its bell in the form, where it is one of these. */
  readonly place?: number;
}

/** By date. */
export type Rings = Readonly<Record<string, readonly Ring[]>>;

/** Draws what rings as weeks. */
export interface Week {
  show(element: HTMLElement, rings: Rings): void;
}

declare global {
  interface Window {
    /** Brought by a file of its own, when somebody wants to see weeks. */
    algoWeek?: Week;
  }
}

/** Loads what draws weeks. */
export function loadWeek(): Promise<Week> {
  return loadScript('algo-week.js', () => window.algoWeek);
}
