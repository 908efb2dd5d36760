import { say } from '../page/status-below';
import type { Row } from './row';

/**
 * The `<details>` elements around the rows of objects. Such an element is visible while at least one of its
 * rows is in the form.
 */
export class Folds {
  private readonly folds: readonly HTMLDetailsElement[];

  constructor(
    section: HTMLElement,
    private readonly translate: Translate,
  ) {
    this.folds = [...section.querySelectorAll<HTMLDetailsElement>('details[data-object]')];
    for (const fold of this.folds) {
      $('<div class="algo-warning" role="status">').insertAfter($(fold).children('.algo-hint'));
    }
  }

  /** @param rows all rows that the form can have, including hidden rows */
  show(rows: readonly Row[]): void {
    for (const fold of this.folds) {
      const used = rows.filter(({ element, isInForm }) => isInForm && fold.contains(element));
      if (used.length > 0 && fold.hidden) fold.open = true;
      fold.hidden = used.length === 0;
      const idle = used.find((row) => !hasEffect(row, rows));
      const partner = idle && rows.find(({ name }) => name === idle.field.with);
      const words = partner ? this.translate('fields.idle', { name: partner.title() }) : '';
      const warning = $(fold).children('.algo-warning');
      say(warning, words);
    }
  }
}

/** An inner field with `with` has no effect while the field named by `with` is missing or false. */
export function hasEffect({ field }: Row, rows: readonly Row[]): boolean {
  if (field.with === undefined) return true;
  const entry = rows.find(({ name }) => name === field.with)?.entry();
  return entry !== undefined && Object(entry).value !== 'false';
}
