import type { Row } from './row';

/** The objects of a form: a fold around the rows of each object, visible while one of these rows is. */
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

  /** @param rows all possible rows of the form */
  show(rows: readonly Row[]): void {
    for (const fold of this.folds) {
      const used = rows.filter(({ element, isThere }) => isThere && fold.contains(element));
      if (used.length > 0 && fold.hidden) fold.open = true;
      fold.hidden = used.length === 0;
      const idle = used.find((row) => !counts(row, rows));
      const partner = idle && rows.find(({ name }) => name === idle.field.with);
      const words = partner ? this.translate('fields.idle', { name: partner.title() }) : '';
      const warning = $(fold).children('.algo-warning');
      if (warning.text() !== words) warning.text(words);
    }
  }
}

/** Whether a field has an effect. Some fields only count together with another field that is on. */
export function counts({ field }: Row, rows: readonly Row[]): boolean {
  if (field.with === undefined) return true;
  const entry = rows.find(({ name }) => name === field.with)?.entry();
  return entry !== undefined && Object(entry).value !== 'false';
}
