import type { FormatPhrase } from '../../../catalogue/phrases';
import type { Row } from '../form/row';
import { phraseFormatterWith } from '../language/sentences';
import { button } from '../page/button';
import type { Finding, Placed } from '../table/findings';
import { Paste } from '../table/paste';
import { Table } from '../table/table';
import {
  type BellRow,
  bellKind,
  bellOf,
  type Column,
  columns,
  defaultColumns,
  isBlank,
  rowsOf,
  timesGoingBack,
} from './cells';
import { checkBells } from './check-bells';
import { ExceptPicker } from './except-picker';
import { OwnWords } from './own-words';
import { onRowChange, readRow, writeRow } from './row-value';
import { TonePicker } from './tone-picker';

export class BellTable {
  readonly element = $('<div class="algo-bells">');
  private readonly about = $('<div class="algo-hint" role="status">');
  private readonly begin: JQuery;
  private readonly place = $('<div>');
  private readonly table: Table<Column>;
  private readonly picker: ExceptPicker;
  private readonly tones: TonePicker;
  private readonly more = $('<div class="algo-chips" role="group">');
  private wanted: readonly Column[] = [];
  /**
   * JSON of the bells in the table. If the form has different JSON, the form was changed outside of the
   * table.
   */
  private text: string | undefined;
  private checks = 0;
  /**
   * Number of rows after the last change. If the number changes, the pickers close, since their row might
   * have a different index.
   */
  private rowCount = 0;
  private offered = '';

  constructor(
    private readonly row: Row,
    private readonly translate: Translate,
    private readonly id: string,
  ) {
    this.begin = button(translate('bells.asTable'), () => writeRow(row, []), 'table');
    this.element.append(this.about, this.begin, this.place).insertAfter(row.element);
    this.element.attr({ role: 'group', 'aria-label': translate('bells.table') });
    this.picker = new ExceptPicker(translate, `${id}-except`, (place, text) =>
      this.fill('except', place, text),
    );
    this.tones = new TonePicker(translate, `${id}-tone`, (place, tone) => this.fill('audio', place, tone));
    const beside = (column: Column, place: number) => {
      if (column === 'audio') return this.tones.opening(place);
      if (column !== 'except') return undefined;
      return this.picker.opening(place, () => this.table.rows[place] as BellRow);
    };
    const shape = { columns, isInLine: true, beside };
    this.table = new Table<Column>(this.place, [], shape, translate, () => this.changed());
    this.place.append(this.tones.element, this.picker.element);
    this.place.on('input', 'input[data-column="except"]', ({ target }) => {
      const own = this.rowOfPicker();
      if (own && Number(target.dataset.place) === this.picker.place) this.picker.follow(own);
    });
    this.makePaste();
    this.place.append(this.more.attr('aria-label', translate('rows.more')));
    onRowChange(row, () => this.follow());
    this.follow();
  }

  private makePaste(): void {
    const { row, table } = this;
    const own = new OwnWords(this.translate);
    new Paste<Column>(this.place, table.buttons, this.translate, {
      kind: { ...bellKind, titles: { ...own.titles, ...bellKind.titles } },
      id: this.id,
      check: async (rows) => {
        const stored = rows.map((one) => ({ ...one, row: own.stored(one.row) }));
        const wrong = await checkPasted(row, stored, phraseFormatterWith(this.translate));
        return [...wrong, ...timesGoingBack(stored)];
      },
      taken: (rows) => {
        const added = rows.map((one) => rowOfPasted(own.stored(one)));
        table.replace([...(table.rows as BellRow[]).filter((one) => !isBlank(one)), ...added]);
      },
    });
  }

  private follow(): void {
    const written = readRow(this.row);
    const { translate } = this;
    const value = written.kind === 'nothing' ? [] : written.kind === 'value' ? written.value : undefined;
    const rows = rowsOf(value);
    const isJson = this.row.input.typedInput('type') === 'json';
    const words = written.kind === 'elsewhere' ? 'bells.elsewhere' : rows ? '' : 'bells.noTable';
    this.about.text(words === '' ? '' : translate(words)).toggle(words !== '');
    this.begin.toggle(written.kind === 'nothing' && !isJson);
    const isTable = rows !== undefined && isJson;
    this.place.toggle(isTable);
    const text = JSON.stringify(value);
    if (!isTable || text === this.text) return;
    this.text = text;
    this.closePickers();
    this.rowCount = rows.length;
    const shown = this.columnsFor(rows);
    this.table.put(rows, shown);
    this.offerOthers(shown);
    this.review();
  }

  private closePickers(): void {
    this.picker.close();
    this.tones.close();
  }

  private rowOfPicker(): BellRow | undefined {
    const { place } = this.picker;
    return place === undefined ? undefined : (this.table.rows[place] as BellRow | undefined);
  }

  private fill(column: Column, place: number, text: string): void {
    this.place.find(`input[data-place="${place}"][data-column="${column}"]`).val(text);
    const row = this.table.rows[place];
    if (row) this.table.rows[place] = { ...row, [column]: text };
    this.changed();
  }

  private changed(): void {
    if (this.table.rows.length !== this.rowCount) this.closePickers();
    this.rowCount = this.table.rows.length;
    const bells = this.filled().map(({ row }) => bellOf(row));
    this.text = JSON.stringify(bells);
    // An untouched empty table is not written, since the `sync` of an empty list deletes all events with the
    // tag.
    const isNew = bells.length === 0 && readRow(this.row).kind === 'nothing';
    if (!isNew) writeRow(this.row, bells);
    this.offer();
    this.review();
  }

  private filled(): { row: BellRow; place: number }[] {
    const rows = (this.table.rows as BellRow[]).map((row, place) => ({ row, place }));
    return rows.filter(({ row }) => !isBlank(row));
  }

  private review(): void {
    this.checks += 1;
    const check = this.checks;
    const filled = this.filled();
    const bells = filled.map(({ row }) => bellOf(row));
    checkBells(this.row.field, bells, phraseFormatterWith(this.translate)).then(
      (found) => {
        if (check !== this.checks) return;
        const findings = found.map(
          ({ index, sentence }): Finding => ({
            line: (filled[index]?.place ?? 0) + 1,
            what: 'said',
            words: { sentence },
          }),
        );
        this.table.review(findings);
      },
      () => {
        if (check === this.checks) this.about.text(this.translate('bells.unchecked')).show();
      },
    );
  }

  private columnsFor(rows: readonly BellRow[]): readonly Column[] {
    const isShown = (column: Column) =>
      defaultColumns.includes(column) ||
      this.wanted.includes(column) ||
      rows.some((row) => row[column] !== '');
    return columns.filter(isShown);
  }

  private offer(): void {
    const shown = this.columnsFor(this.table.rows as BellRow[]);
    this.more.toggle(this.table.rows.length > 0);
    // Drawing the same columns again would replace the input in which the user is typing.
    if (shown.join() === this.offered) return;
    this.tones.close();
    this.table.offer(shown);
    this.offerOthers(shown);
  }

  private offerOthers(shown: readonly Column[]): void {
    this.offered = shown.join();
    const others = columns.filter((column) => !defaultColumns.includes(column));
    this.more.toggle(this.table.rows.length > 0).empty();
    this.more.append($('<span>').text(this.translate('rows.more')));
    for (const column of others) {
      const isOn = shown.includes(column);
      const chip = button(this.translate(`rows.${column}`), () => this.toggle(column));
      this.more.append(
        chip.addClass('algo-chip').attr({ 'aria-pressed': String(isOn), 'data-column': column }),
      );
    }
  }

  private toggle(column: Column): void {
    const isOn = this.wanted.includes(column);
    this.wanted = isOn ? this.wanted.filter((one) => one !== column) : [...this.wanted, column];
    this.offer();
    this.review();
    this.more.find(`[data-column="${column}"]`).trigger('focus');
  }
}

function rowOfPasted(row: Record<Column, string>): BellRow {
  const [own] = rowsOf([bellOf(row)]) ?? [];
  const cells = columns.map((column) => [column, own?.[column] ?? '']);
  return Object.fromEntries(cells) as BellRow;
}

async function checkPasted(
  row: Row,
  rows: readonly Placed<Column>[],
  formatPhrase: FormatPhrase,
): Promise<Finding[]> {
  const blank = rows.filter((one) => isBlank(one.row));
  const found = await checkBells(
    row.field,
    rows.map((one) =>
      isBlank(one.row) ? { name: '-', time: '00:00', days: 'daily', audio: '-' } : bellOf(one.row),
    ),
    formatPhrase,
  );
  return [
    ...blank.map(({ line }): Finding => ({ line, what: 'blank', words: {} })),
    ...found.map(
      ({ index, sentence }): Finding => ({
        line: rows[index]?.line ?? 1,
        what: 'said',
        words: { sentence },
      }),
    ),
  ];
}
