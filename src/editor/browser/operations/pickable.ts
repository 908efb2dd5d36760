import type { Entry } from './entry';
import type { RowField } from './field';

export interface Pickable {
  readonly element: HTMLElement;
  readonly input: JQuery;
  readonly field: RowField;
  readonly translate: Translate;
  readonly model: string | undefined;
  /** Element to which the picker appends its choices; by default, the choices follow the button. */
  readonly parent?: JQuery;
  show(entry: Entry): void;
}
