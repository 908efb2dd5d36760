import { showFindings } from './findings';
import { type Column, columns, type Finding, type GroupRow, sentenceOfFinding } from './rows';

/** So many rows can be edited at once: five thousand with four boxes each would stop the browser. */
const perPage = 20;

const emptyRow: GroupRow = { name: '', address: '', tags: '', fingerprint: '' };

/** The rows of a group, a page at a time. */
export class Table {
  private first = 0;
  private readonly head = $('<tr>');
  private readonly body = $('<tbody>');
  private readonly table = $('<table class="algo-grid">').append($('<thead>').append(this.head), this.body);
  private readonly page = $('<span role="status">');
  private readonly previous: JQuery;
  private readonly next: JQuery;
  private readonly pager: JQuery;
  private readonly findings = $('<ul class="algo-error algo-findings" role="status">');
  /** Where the buttons are, for those of others too. */
  readonly buttons = $('<div class="algo-buttons">');
  private readonly clear: JQuery;

  constructor(
    root: JQuery,
    public rows: GroupRow[],
    private readonly translate: Translate,
    private readonly changed: () => void,
  ) {
    this.previous = this.button('rows.previous', 'chevron-left', () => this.turn(-perPage));
    this.next = this.button('rows.next', 'chevron-right', () => this.turn(perPage));
    this.pager = $('<div class="algo-buttons">').append(this.previous, this.page, this.next);
    this.clear = this.button('rows.clear', 'trash-o', () => this.replace([]), true);
    this.buttons.append(
      this.button('rows.add', 'plus', () => this.add(), true),
      this.clear,
    );
    root.append(this.table, this.pager, this.findings, this.buttons);
    for (const column of columns) this.head.append($('<th scope="col">').text(translate(`rows.${column}`)));
    this.head.append('<td>');
    this.body.on('input', 'input', ({ target }) => this.write(target as HTMLInputElement));
    this.body.on('change', 'input', () => this.changed());
    this.body.on('keydown', 'input', (event) => this.move(event));
    this.show();
  }

  private button(words: string, icon: string, pressed: () => void, isNamed = false): JQuery {
    const title = this.translate(words);
    const button = $('<button type="button" class="red-ui-button red-ui-button-small">').on('click', pressed);
    button.append($('<i aria-hidden="true">').addClass(`fa fa-${icon}`));
    return isNamed ? button.append(' ', document.createTextNode(title)) : button.attr('aria-label', title);
  }

  private turn(by: number): void {
    this.first = Math.max(0, this.first + by);
    this.show();
  }

  private add(): void {
    this.rows.push(emptyRow);
    this.open(this.rows.length - 1);
    this.changed();
  }

  replace(rows: GroupRow[]): void {
    this.rows = rows;
    this.first = 0;
    this.show();
    this.changed();
  }

  /** Turns to a row, and puts the focus into it. */
  private open(place: number): void {
    this.first = place - (place % perPage);
    this.show();
    this.body.find(`[data-place="${place}"]`).first().trigger('focus');
  }

  private write({ value, dataset }: HTMLInputElement): void {
    const place = Number(dataset.place);
    const row = this.rows[place];
    if (row) this.rows[place] = { ...row, [dataset.column as Column]: value.trim() };
  }

  /** Enter would press the dialog's own button; here it goes to the next row, and makes one behind the last. */
  private move(event: JQuery.KeyDownEvent): void {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    event.stopPropagation();
    const place = Number((event.target as HTMLElement).dataset.place) + 1;
    if (place < this.rows.length) this.open(place);
    else this.add();
  }

  private remove(place: number): void {
    this.rows.splice(place, 1);
    this.first = Math.min(this.first, Math.max(0, this.rows.length - 1));
    this.first -= this.first % perPage;
    this.show();
    this.changed();
  }

  private show(): void {
    const { first, rows, translate } = this;
    const shown = rows.slice(first, first + perPage);
    this.body.empty().append(shown.map((row, index) => this.line(row, first + index)));
    this.table.prop('hidden', rows.length === 0);
    this.clear.toggle(rows.length > 0);
    this.pager.toggle(rows.length > perPage);
    const last = first + shown.length;
    const words = { first: String(first + 1), last: String(last), count: String(rows.length) };
    this.page.text(translate('rows.page', words));
    this.previous.prop('disabled', first === 0);
    this.next.prop('disabled', last >= rows.length);
    RED.tray.resize();
  }

  private line(row: GroupRow, place: number): JQuery {
    const number = String(place + 1);
    const cells = columns.map((column) => {
      const words = { column: this.translate(`rows.${column}`), row: number };
      const box = $('<input type="text" autocomplete="off" spellcheck="false">').val(row[column]);
      box.attr({
        'data-place': place,
        'data-column': column,
        'aria-label': this.translate('rows.cell', words),
      });
      return $('<td>').append(box);
    });
    const remove = this.button('rows.remove', 'remove', () => this.remove(place));
    remove.attr('aria-label', this.translate('rows.remove', { row: number }));
    return $('<tr>').append(cells, $('<td>').append(remove));
  }

  /** Says what is wrong in which row; choosing a sentence turns to it. */
  review(findings: readonly Finding[]): void {
    const sentences = findings.map((finding) => sentenceOfFinding(this.translate, finding, 'row'));
    showFindings(this.findings, sentences, this.translate, (at) => this.open((findings[at]?.line ?? 1) - 1));
  }
}
