import { OperationForm } from '../form/operation-form';
import { linesOfAction, shownIn, titleOf } from '../node/alert-actions';
import { entriesOf, same } from '../operations/entry';
import { operationNamed } from '../operations/named-operation';
import { modelOf } from '../targets/target';

/** Code of the plugin's script for the script of the actions, so that the code is not loaded twice. */
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
  /** Returns the selected targets of a node whose target is `several`. */
  readonly picked: () => readonly string[];
};

/** The list of an alert's actions, as the dialog of the alert uses the list. */
export interface ActionListing {
  actions(): unknown[];
  /** Updates the list after the user selected another target. */
  refresh(): void;
  /** Removes the list from the page. Afterwards, `actions` still returns the values that the user entered. */
  close(): void;
}

type MakeListing = new (
  root: JQuery,
  node: EditorNode,
  actions: readonly unknown[],
  parts: AlertParts,
) => ActionListing;

declare global {
  interface Window {
    /** The list of actions; undefined until its script was loaded, when the dialog of an alert opens. */
    algoAlert?: { readonly ActionList: MakeListing };
  }
}
