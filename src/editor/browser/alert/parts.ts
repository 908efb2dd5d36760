import { OperationForm } from '../form/operation-form';
import { linesOfAction, shownIn, titleOf } from '../node/alert-actions';
import { entriesOf, same } from '../operations/entry';
import { operationNamed } from '../operations/named-operation';
import { modelOf } from '../targets/target';

/** Code of the plugin that the script of the actions uses, so that the code is not loaded twice. */
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
  /** Removes the list from the page. Afterwards, `actions` still returns the entered values. */
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
    /**
     * The list of actions; undefined until the script of the list is loaded, when an alert's dialog first
     * opens.
     */
    algoAlert?: { readonly ActionList: MakeListing };
  }
}
