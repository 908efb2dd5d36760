import { findingsIn } from '../../../bells/findings';
import type { ExtensibleDialog } from '../form/dialog-extension';
import type { Row } from '../form/row';
import { inWords, sayWith } from '../language/sentences';
import { findingsRegion, showInRegion } from '../table/findings';
import { onWritten, writtenIn } from './written';

/** The maximum number of sentences that are shown. */
const maxShown = 20;

/** What is wrong with what is written in rows, in the words of the runtime, which reads them with the same code. */
export class ReadFindings {
  readonly element = $('<div>');
  private readonly region = findingsRegion().appendTo(this.element);
  private checks = 0;

  /** @param rows those that are read together; it stands under the first */
  constructor(
    private readonly dialog: ExtensibleDialog,
    private readonly rows: readonly [Row, ...Row[]],
  ) {
    this.element.insertAfter(rows[0].element);
    for (const row of rows) onWritten(row, () => this.review());
    this.review();
  }

  /** Reads again; what comes with a message is not there yet. */
  review(): void {
    this.checks += 1;
    const check = this.checks;
    const values = this.rows.map((row) => {
      const written = row.isThere ? writtenIn(row) : undefined;
      return [row.name, written?.kind === 'value' ? written.value : undefined];
    });
    const { translate } = this.dialog;
    findingsIn(Object.fromEntries(values), inWords(sayWith(translate)))
      .then((found) => found.map(String))
      // A rejection that nobody hears would look like a good value.
      .catch(() => [translate('bells.unchecked')])
      .then((lines) => {
        if (check === this.checks) this.show(lines);
      });
  }

  private show(lines: readonly string[]): void {
    const more = lines.length - maxShown;
    const shown = lines.slice(0, maxShown);
    if (more > 0) shown.push(this.dialog.translate('finding.more', { count: String(more) }));
    showInRegion(
      this.region,
      shown.map((line) => $('<li>').text(line)),
    );
  }
}
