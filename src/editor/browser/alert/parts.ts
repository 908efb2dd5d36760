import { OperationForm } from '../form/operation-form';
import { linesOfAction, shownIn, titleOf } from '../node/alert-actions';
import { entriesOf, same } from '../operations/entry';
import { operationNamed } from '../operations/named-operation';
import { modelOf } from '../targets/target';

/**
 * Functions of the plugin that the script of the actions uses, so that the script does not contain a second
 * copy of them.
 */
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
  /** Removes the list from the page. Afterwards, `actions()` still returns the entered actions. */
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
     * Defined by the script of the actions, which is loaded when a dialog of an alert first shows the list, or
     * when a dialog of an announcement first opens.
     */
    algoAlert?: { readonly ActionList: MakeListing; readonly AnnouncePreview: MakePreview };
  }
}
