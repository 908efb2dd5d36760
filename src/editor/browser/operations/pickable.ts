import type { Entry } from './entry';
import type { RowField } from './field';

/**
 * The parts of a row that a picker uses. The picker offers values for the row, for example the tones of the
 * device.
 */
export interface Pickable {
  readonly element: HTMLElement;
  readonly input: JQuery;
  readonly field: RowField;
  readonly translate: Translate;
  readonly model: string | undefined;
  /** Element to which the picker appends its choices; by default, the choices follow the button. */
  readonly parent?: JQuery;
  /** Replaces the entry of the row. */
  show(entry: Entry): void;
}
