import { loadScript } from './load-script';
import type { Pictures } from './pictures';

declare global {
  interface Window {
    /** Brought by a file of its own, when there is something to draw. */
    algoPictures?: Pictures;
  }
}

/** Loads what draws lights and displays; rejects where it cannot be had. */
export function loadPictures(): Promise<Pictures> {
  return loadScript('algo-pictures.js', () => window.algoPictures);
}
