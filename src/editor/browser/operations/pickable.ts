import type { Entry } from './entry';
import type { RowField } from './field';

/** A row, as far as something is chosen for it. */
export interface Pickable {
  readonly element: HTMLElement;
  readonly input: JQuery;
  readonly field: RowField;
  readonly translate: Translate;
  /** The model that the field is for, where it is known. */
  readonly model: string | undefined;
  /** Where the choices are shown, if not behind the button that was pressed. */
  readonly place?: JQuery;
  /** Shows an entry in the place of what is there. */
  show(entry: Entry): void;
}
