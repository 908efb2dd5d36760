import { loadScript, whenThere } from '../page/load';
import type { Row } from './row';

declare global {
  interface Window {
    /** Brought by a file of its own, when a scheduler's dialog opens. */
    algoBells?: DialogExtension;
  }
}

/** What of a dialog is helped with. It triggers `algo-shown` on its root whenever it shows something else. */
export interface ExtensibleDialog {
  readonly node: EditorNode;
  readonly root: JQuery;
  readonly translate: Translate;
  /** The operation that is shown. */
  operation(): string;
  /** The row of a field of what is shown; none where the parameters come from elsewhere. */
  row(name: string): Row | undefined;
}

/** What helps to fill in a dialog beyond its rows. */
interface DialogExtension {
  open(dialog: ExtensibleDialog): void;
}

/** Loads what helps with a dialog, where there is anything; without it the rows do. */
export function openExtension(dialog: ExtensibleDialog): void {
  const { node, root, translate } = dialog;
  if (node.type !== 'algo-scheduler') return;
  loadScript('algo-bells.js', () => window.algoBells)
    .then((aid) => whenThere(root, () => aid.open(dialog)))
    .catch(() => {
      $('<p class="form-tips algo-no-aid">').text(translate('bells.missing')).appendTo(root);
    });
}
