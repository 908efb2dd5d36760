import { loadScript, whenThere } from '../page/load';
import type { Row } from './row';

declare global {
  interface Window {
    /** The extension of a scheduler's dialog, which its own script defines when such a dialog opens. */
    algoBells?: DialogExtension;
  }
}

/**
 * A dialog as its extension sees it. The dialog triggers `algo-shown` on its root when it shows another
 * operation or other rows.
 */
export interface ExtensibleDialog {
  readonly node: EditorNode;
  readonly root: JQuery;
  readonly translate: Translate;
  operation(): string;
  /** Returns the row of a field; undefined if the form is not shown or has no such field. */
  row(name: string): Row | undefined;
}

/** An extension of a dialog that helps the user to fill in the rows. */
interface DialogExtension {
  open(dialog: ExtensibleDialog): void;
}

/**
 * Loads and opens the extension of a dialog, if there is one. Without the extension the rows remain usable.
 */
export function openExtension(dialog: ExtensibleDialog): void {
  const { node, root, translate } = dialog;
  if (node.type !== 'algo-scheduler') return;
  loadScript('algo-bells.js', () => window.algoBells)
    .then((aid) => whenThere(root, () => aid.open(dialog)))
    .catch(() => {
      $('<p class="form-tips algo-no-aid">').text(translate('bells.missing')).appendTo(root);
    });
}
