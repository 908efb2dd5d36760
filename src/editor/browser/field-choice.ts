import type { Row } from './row';

/** What a menu of fields is opened for. */
export interface FieldChoice {
  /** What the menu is put into, below the button. */
  readonly element: HTMLElement;
  readonly button: JQuery;
  readonly translate: Translate;
  /** The fields that may be added now. */
  rows(): readonly Row[];
  add(row: Row): void;
}
