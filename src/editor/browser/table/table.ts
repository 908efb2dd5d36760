import { button, iconButton } from '../page/button';
import { type Finding, findingsRegion, sentenceOfFinding, showFindings } from './findings';

/**
 * Number of rows on a page of the table. Thousands of rows with several inputs each would block the browser.
 */
const perPage = 20;

interface TableOptions<Column extends string> {
  readonly columns: readonly Column[];
  /** The column of passwords; in this column, the text `kept` stands for a stored password. */
  readonly secret?: { readonly column: Column; readonly kept: string };
  /**
   * Whether a finding about a row of the shown page appears below its row. All other findings are in a list
   * below the table.
   */
  readonly isInLine?: boolean;
  /** Returns an element to place after the input of a cell, such as a button. */
  readonly beside?: (column: Column, index: number) => JQuery | undefined;
}

/** The words of the table, including the titles of the columns, are under `rows` in the locale file. */
export class Table<Column extends string> {
  private first = 0;
  private columns: readonly Column[];
  private found: readonly Finding[] = [];
  private readonly head = $('<tr>');
  private readonly body = $('<tbody>');
  private readonly table = $('<table class="algo-grid">').append($('<thead>').append(this.head), this.body);
  private readonly page = $('<span role="status">');
  private readonly previous: JQuery;
  private readonly next: JQuery;
  private readonly pager: JQuery;
  private readonly findings = findingsRegion();
  readonly buttons = $('<div class="algo-buttons">');
  private readonly clear: JQuery;

  constructor(
    root: JQuery,
    public rows: Record<Column, string>[],
    private readonly options: TableOptions<Column>,
    private readonly translate: Translate,
    private readonly changed: () => void,
  ) {
    this.columns = options.columns;
    this.previous = iconButton(translate('rows.previous'), () => this.turn(-perPage), 'chevron-left');
    this.next = iconButton(translate('rows.next'), () => this.turn(perPage), 'chevron-right');
    this.pager = $('<div class="algo-buttons">').append(this.previous, this.page, this.next);
    this.clear = button(translate('rows.clear'), () => this.replace([]), 'trash-o');
    this.buttons.append(
      button(translate('rows.add'), () => this.add(), 'plus'),
      this.clear,
    );
    root.append($('<div class="algo-scroll">').append(this.table), this.pager, this.findings, this.buttons);
    this.body.on('input', 'input', ({ target }) => this.write(target as HTMLInputElement));
    this.body.on('change', 'input', () => this.changed());
    this.body.on('beforeinput', 'input', ({ target }) => this.begin(target as HTMLInputElement));
    this.body.on('keydown', 'input', (event) => this.move(event));
    this.show();
  }

  private turn(by: number): void {
    this.first = Math.max(0, this.first + by);
    this.show();
  }

  private add(): void {
    const cells = this.options.columns.map((column) => [column, '']);
    this.rows.push(Object.fromEntries(cells) as Record<Column, string>);
    this.open(this.rows.length - 1);
    this.changed();
  }

  replace(rows: Record<Column, string>[]): void {
    this.put(rows);
    this.changed();
  }

  /** Replaces all rows and, if given, the columns. Does not report a change. */
  put(rows: Record<Column, string>[], columns = this.columns): void {
    this.rows = rows;
    this.columns = columns;
    this.first = 0;
    this.show();
  }

  offer(columns: readonly Column[]): void {
    this.columns = columns;
    this.show();
  }

  private open(index: number): void {
    this.first = index - (index % perPage);
    this.show();
    this.body.find(`[data-place="${index}"]`).first().trigger('focus');
  }

  private write({ value, dataset }: HTMLInputElement): void {
    const index = Number(dataset.place);
    const row = this.rows[index];
    if (!row) return;
    const isSecret = dataset.column === this.options.secret?.column;
    this.rows[index] = { ...row, [dataset.column as Column]: isSecret ? value : value.trim() };
  }

  /**
   * Clears the placeholder of a stored password when the user starts to type, so that the new password starts
   * empty.
   */
  private begin(box: HTMLInputElement): void {
    const { secret } = this.options;
    if (box.dataset.column !== secret?.column || box.value !== secret?.kept) return;
    box.value = '';
    this.write(box);
    this.changed();
  }

  /** Without this handler, Enter would press the default button of the dialog. */
  private move(event: JQuery.KeyDownEvent): void {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    event.stopPropagation();
    const index = Number((event.target as HTMLElement).dataset.place) + 1;
    if (index < this.rows.length) this.open(index);
    else this.add();
  }

  private remove(index: number): void {
    this.rows.splice(index, 1);
    this.first = Math.min(this.first, Math.max(0, this.rows.length - 1));
    this.first -= this.first % perPage;
    this.show();
    this.changed();
  }

  private show(): void {
    const { columns, first, rows, translate } = this;
    const titles = columns.map((column) => translate(`rows.${column}`));
    const heads = columns.map((column, index) =>
      $('<th scope="col">')
        .attr('data-column', column)
        .text(titles[index] ?? ''),
    );
    this.head.empty().append(heads, '<td>');
    const shown = rows.slice(first, first + perPage);
    this.body.empty().append(shown.flatMap((row, index) => this.line(row, first + index, titles)));
    this.table.prop('hidden', rows.length === 0);
    this.clear.toggle(rows.length > 0);
    this.pager.toggle(rows.length > perPage);
    const last = first + shown.length;
    const words = { first: String(first + 1), last: String(last), count: String(rows.length) };
    this.page.text(translate('rows.page', words));
    this.previous.prop('disabled', first === 0);
    this.next.prop('disabled', last >= rows.length);
    this.report();
  }

  private line(
    row: Readonly<Record<Column, string>>,
    place: number,
    titles: readonly string[],
  ): HTMLElement[] {
    const number = String(place + 1);
    const line = document.createElement('tr');
    const wrong = `algo-wrong-${place}`;
    for (const [index, column] of this.columns.entries()) {
      const box = document.createElement('input');
      box.type = 'text';
      box.autocomplete = 'off';
      box.spellcheck = false;
      box.value = row[column];
      Object.assign(box.dataset, { place, column });
      if (column === this.options.secret?.column) {
        Object.assign(box, { type: 'password', autocomplete: 'new-password' });
        box.placeholder = this.translate('rows.shared');
      }
      const words = { column: titles[index] ?? '', row: number };
      box.setAttribute('aria-label', this.translate('rows.cell', words));
      if (this.options.isInLine) box.setAttribute('aria-describedby', wrong);
      line.insertCell().append(box, ...(this.options.beside?.(column, place)?.get() ?? []));
    }
    const words = this.translate('rows.remove', { row: number });
    const remove = iconButton(words, () => this.remove(place), 'remove');
    line.insertCell().append(...remove.get());
    if (!this.options.isInLine) return [line];
    const below = document.createElement('tr');
    below.className = 'algo-wrong';
    below.hidden = true;
    const cell = below.insertCell();
    cell.colSpan = this.columns.length + 1;
    const error = document.createElement('div');
    Object.assign(error, { className: 'algo-error', id: wrong, role: 'status' });
    cell.append(error);
    return [line, below];
  }

  review(findings: readonly Finding[]): void {
    this.found = findings;
    this.report();
  }

  private report(): void {
    const { first, found, translate } = this;
    const isHere = ({ line }: Finding) => line > first && line <= first + perPage;
    const listed = this.options.isInLine ? found.filter((finding) => !isHere(finding)) : found;
    const sentences = listed.map((finding) => sentenceOfFinding(translate, finding, 'row'));
    showFindings(this.findings, sentences, translate, (at) => this.open((listed[at]?.line ?? 1) - 1));
    for (const box of this.body.find('.algo-wrong .algo-error').get()) {
      const own = found.filter(({ line }) => box.id === `algo-wrong-${line - 1}`);
      box.textContent = own.map((finding) => sentenceOfFinding(translate, finding)).join('\n');
      const line = box.closest('tr');
      if (line) line.hidden = own.length === 0;
    }
  }
}
