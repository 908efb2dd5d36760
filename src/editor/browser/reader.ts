import type { ReadRows } from './row-reader';

type Reader = { readonly readRows: (text: string) => ReadRows };

declare global {
  interface Window {
    /** Brought by a file of its own, when a person wants to paste or to import. */
    algoRows?: Reader;
  }
}

let loading: Promise<Reader> | undefined;

/** Loads what reads rows of a text; rejects where it cannot be had, and may be asked again. */
export function loadReader(): Promise<Reader> {
  loading ??= load().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

function load(): Promise<Reader> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = 'resources/@openpaging/node-red-algo/algo-rows.js';
    script.onload = () => (window.algoRows ? resolve(window.algoRows) : reject(new Error(script.src)));
    script.onerror = () => reject(new Error(script.src));
    document.head.append(script);
  });
}
