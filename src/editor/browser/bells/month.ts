import type { Day } from '../../../bells/calendar';
import type { Row } from '../form/row';
import { button } from '../page/button';
import { daysOf, listOf } from './day-texts';
import { MonthGrid } from './month-grid';
import { onRowChange, readRow, show, writeRow } from './row-value';

export class MonthView {
  readonly element = $('<div class="algo-days" role="group">');
  private readonly about = $('<div class="algo-hint" role="status">');
  private readonly begin: JQuery;
  private readonly grid: MonthGrid;
  /** Whether the user has opened the month. Until then, the month is hidden while the row is empty. */
  private isWanted = false;

  constructor(
    private readonly row: Row,
    private readonly translate: Translate,
    id: string,
  ) {
    this.begin = button(translate('days.asDays'), () => this.want(), 'calendar');
    this.grid = new MonthGrid(translate, id, (days) => this.write(days));
    this.element.attr('aria-label', translate('days.title')).insertAfter(row.element);
    this.element.append(this.about, this.begin, this.grid.element);
    onRowChange(row, () => this.follow());
    this.follow();
  }

  private want(): void {
    this.isWanted = true;
    if (['json', 'str'].includes(this.row.input.typedInput('type'))) this.follow();
    else writeRow(this.row, []);
    this.grid.focus();
  }

  private follow(): void {
    const written = readRow(this.row);
    const type = this.row.input.typedInput('type');
    const isLiteral = type === 'json' || type === 'str';
    const value = written.kind === 'nothing' ? [] : written.kind === 'value' ? written.value : undefined;
    const days = daysOf(value);
    const isBegun = this.isWanted || written.kind !== 'nothing';
    const isShown = days !== undefined && isLiteral && isBegun;
    const words = written.kind === 'elsewhere' || days !== undefined || !isLiteral ? '' : 'days.noDays';
    this.about.text(words === '' ? '' : this.translate(words)).toggle(words !== '');
    this.begin.toggle(written.kind === 'nothing' && !isShown);
    this.grid.element.toggle(isShown);
    if (isShown) this.grid.show(days);
  }

  private write(days: Iterable<Day>): void {
    const list = listOf(days);
    const [only] = list;
    const isText =
      this.row.input.typedInput('type') === 'str' && list.length === 1 && typeof only === 'string';
    if (isText) show(this.row, { type: 'str', value: only });
    else writeRow(this.row, list);
  }
}
