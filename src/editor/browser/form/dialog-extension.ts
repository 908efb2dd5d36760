import { loadScript, whenInPage } from '../page/load';
import type { Row } from './row';

/**
 * The interface of a dialog for its extension. The dialog triggers the event `algo-shown` on `root` when the
 * operation changes, and when the user adds or removes a row.
 */
export interface ExtensibleDialog {
  readonly node: EditorNode;
  readonly root: JQuery;
  readonly translate: Translate;
  operation(): string;
  row(name: string): Row | undefined;
}

export interface DialogExtension {
  open(dialog: ExtensibleDialog): void;
}

export function openExtension(dialog: ExtensibleDialog): void {
  const { node, root, translate } = dialog;
  if (node.type !== 'algo-scheduler') return;
  loadScript<DialogExtension>('bells')
    .then((aid) => whenInPage(root, () => aid.open(dialog)))
    .catch(() => {
      $('<p class="form-tips algo-no-aid">').text(translate('bells.missing')).appendTo(root);
    });
}
