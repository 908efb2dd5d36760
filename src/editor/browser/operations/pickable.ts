import type { Entry } from './entry';
import type { RowField } from './field';

/** The part of a row that a picker uses. */
export interface Pickable {
  readonly element: HTMLElement;
  readonly input: JQuery;
  readonly field: RowField;
  readonly translate: Translate;
  /** The model of the target device; undefined if unknown. */
  readonly model: string | undefined;
  /** The parent of the choices; by default they follow the button. */
  readonly place?: JQuery;
  /** Shows an entry instead of the current one. */
  show(entry: Entry): void;
}
