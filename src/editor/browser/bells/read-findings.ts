import { findingsIn } from '../../../bells/findings';
import type { AidedDialog } from '../aid';
import { inWords, sayWith } from '../phrases';
import type { Row } from '../row';
import { onWritten, writtenIn } from './written';

/** So many sentences are shown. */
const mostShown = 20;

/** What is wrong with what is written in rows, in the words of the runtime, which reads them with the same code. */
export class ReadFindings {
  readonly element = $('<div>');
  private readonly list = $('<ul class="algo-error algo-findings" role="status">').appendTo(this.element);
  private checks = 0;

  /** @param rows those that are read together; it stands under the first */
  constructor(
    private readonly dialog: AidedDialog,
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
    findingsIn(Object.fromEntries(values), inWords(sayWith(this.dialog.translate))).then((found) => {
      if (check !== this.checks) return;
      const more = found.length - mostShown;
      const lines = found.slice(0, mostShown).map(String);
      if (more > 0) lines.push(this.dialog.translate('finding.more', { count: String(more) }));
      this.list
        .empty()
        .append(lines.map((line) => $('<li>').text(line)))
        .toggle(lines.length > 0);
      RED.tray.resize();
    });
  }
}
