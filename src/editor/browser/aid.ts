import type { Dialog } from './dialog';
import { loadScript } from './load-script';

declare global {
  interface Window {
    /** Brought by a file of its own, when a scheduler's dialog opens. */
    algoBells?: Aid;
  }
}

/** What helps to fill in a dialog beyond its rows. */
export interface Aid {
  open(dialog: Dialog): void;
}

/** Loads what helps with a dialog, where there is anything; without it the rows do. */
export function openAid(dialog: Dialog): void {
  const { node, root, translate } = dialog;
  if (node.type !== 'algo-scheduler') return;
  loadScript('algo-bells.js', () => window.algoBells)
    .then((aid) => {
      // Somebody may have closed it meanwhile.
      if (root.closest('body').length > 0) aid.open(dialog);
    })
    .catch(() => {
      $('<p class="form-tips algo-no-aid">').text(translate('bells.missing')).appendTo(root);
    });
}
