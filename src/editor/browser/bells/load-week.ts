import { loadScript } from '../page/load';

export interface Ring {
  readonly evid: unknown;
  readonly name: unknown;
  readonly start_time: unknown;
  readonly color?: unknown;
  readonly skipped?: unknown;
  /** Index of the bell in the form; absent if the ring comes from the device. */
  readonly place?: number;
}

export type Rings = Readonly<Record<string, readonly Ring[]>>;

export interface Week {
  show(element: HTMLElement, rings: Rings): void;
}

export function loadWeek(): Promise<Week> {
  return loadScript('week');
}
