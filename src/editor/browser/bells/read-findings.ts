import { findingsIn } from '../../../bells/findings';
import type { ExtensibleDialog } from '../form/dialog-extension';
import type { Row } from '../form/row';
import { inWords, phraseFormatterWith } from '../language/sentences';
import { findingsRegion, itemsOf, showInRegion } from '../table/findings';
import { onRowChange, readRow } from './row-value';

const maxShown = 20;

export class ReadFindings {
  readonly element = $('<div>');
  private readonly region = findingsRegion().appendTo(this.element);
  private checks = 0;

  constructor(
    private readonly dialog: ExtensibleDialog,
    private readonly rows: readonly [Row, ...Row[]],
  ) {
    this.element.insertAfter(rows[0].element);
    for (const row of rows) onRowChange(row, () => this.review());
    this.review();
  }

  review(): void {
    this.checks += 1;
    const check = this.checks;
    const values = this.rows.map((row) => {
      const written = row.isInForm ? readRow(row) : undefined;
      return [row.name, written?.kind === 'value' ? written.value : undefined];
    });
    const { translate } = this.dialog;
    findingsIn(Object.fromEntries(values), inWords(phraseFormatterWith(translate)))
      .then((found) => found.map(String))
      // Without this note, the empty list would say that the values are valid, although the check failed.
      .catch(() => [translate('bells.unchecked')])
      .then((lines) => {
        if (check === this.checks) showInRegion(this.region, itemsOf(lines, maxShown, translate));
      });
  }
}
