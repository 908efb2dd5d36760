import { loadScript } from '../load-script';
import type { Rings } from './rings';

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
