import type { LackMarks, MarkedDialog } from './lacks/marks';
import { loadScript } from './load-script';

declare global {
  interface Window {
    /** Brought by a file of its own, when the dialog of an action opens: with it comes the catalogue. */
    algoLacks?: { readonly Marks: new (dialog: MarkedDialog) => LackMarks };
  }
}

/** Marks what the targets of a dialog lack; without its script nothing is marked. */
export function openLacks(dialog: MarkedDialog, opened: (marks: LackMarks) => void): void {
  loadScript('algo-lacks.js', () => window.algoLacks).then(
    ({ Marks }) => {
      // Somebody may have closed it meanwhile.
      if (dialog.root.closest('body').length > 0) opened(new Marks(dialog));
    },
    () => {},
  );
}
