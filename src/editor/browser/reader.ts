import { loadScript } from './load-script';
import type { readRows } from './row-reader';

type Reader = { readonly readRows: typeof readRows };

declare global {
  interface Window {
    /** Brought by a file of its own, when a person wants to paste or to import. */
    algoRows?: Reader;
  }
}

/** Loads what reads rows of a text; rejects where it cannot be had, and may be asked again. */
export function loadReader(): Promise<Reader> {
  return loadScript('algo-rows.js', () => window.algoRows);
}
