import { OperationForm } from '../form/operation-form';
import { linesOfAction, shownIn, titleOf } from '../node/alert-actions';
import { entriesOf, same } from '../operations/entry';
import { operationNamed } from '../operations/named-operation';
import { modelOf } from '../targets/target';

/** Functions of the plugin that `algo-alert.js` uses, so that this script does not contain a second copy. */
export const parts = {
  OperationForm,
  operationNamed,
  linesOfAction,
  titleOf,
  entriesOf,
  same,
  shownIn,
  modelOf,
};

export type AlertParts = typeof parts & {
  readonly picked: () => readonly string[];
};

export interface ActionListing {
  actions(): unknown[];
  refresh(): void;
  close(): void;
}

type MakeListing = new (
  root: JQuery,
  node: EditorNode,
  actions: readonly unknown[],
  parts: AlertParts,
) => ActionListing;

export interface AnnouncePreviewing {
  show(): void;
}

type MakePreview = new (root: JQuery, node: EditorNode, parts: AlertParts) => AnnouncePreviewing;

declare global {
  interface Window {
    /**
     * Defined by `algo-alert.js`, which is loaded when a dialog of an alert first shows the list, or when a
     * dialog of an announcement first opens.
     */
    algoAlert?: { readonly ActionList: MakeListing; readonly AnnouncePreview: MakePreview };
  }
}
