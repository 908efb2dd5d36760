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
  /** What is ticked of several targets. */
  readonly picked: () => readonly string[];
};

/** The actions of an alert as a list that a person edits. */
export interface ActionListing {
  actions(): unknown[];
  /** Another target was chosen. */
  refresh(): void;
  /** Removes the list; `actions` has the values that were entered. */
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
    /** Brought by a file of its own, when the dialog of an alert opens. */
    algoAlert?: { readonly ActionList: MakeListing };
  }
}
