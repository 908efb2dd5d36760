import { OperationForm } from '../form/operation-form';
import { linesOfAction, shownIn, titleOf } from '../node/alert-actions';
import { entriesOf, same } from '../operations/entry';
import { operationNamed } from '../operations/named-operation';
import { modelOf } from '../targets/target';

/** What the list of deeds takes from the page that is there anyway, so that it is not loaded twice. */
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

/** The deeds of an alert as a list that a person edits. */
export interface ActionListing {
  actions(): unknown[];
  /** Another target was chosen. */
  refresh(): void;
  /** Takes itself away; what was entered is in `deeds`. */
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
