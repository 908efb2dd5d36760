import { OperationForm } from '../form/operation-form';
import { linesOfAction, shownIn, titleOf } from '../node/alert-actions';
import { entriesOf, same } from '../operations/entry';
import { operationNamed } from '../operations/named-operation';
import { modelOf } from '../targets/target';

/** Code of the page that the list of actions uses, so that it is not loaded twice. */
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
  /** Returns the selected targets of a node with several targets. */
  readonly picked: () => readonly string[];
};

/** The actions of an alert as a list that the user edits. */
export interface ActionListing {
  actions(): unknown[];
  /** Updates the list after a change of the target. */
  refresh(): void;
  /** Removes the list. `actions` still returns the entered values afterwards. */
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
    /** The list of actions, which its own script defines when the dialog of an alert opens. */
    algoAlert?: { readonly ActionList: MakeListing };
  }
}
