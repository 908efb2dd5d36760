import { type Day, dateOf, dayAt, partsOf, weekdayOf } from '../../../bells/calendar';
import type { Row } from '../row';
import { button } from './buttons';
import { dayIn, daysOf, listOf } from './day-texts';
import { dayWords } from './day-words';
import { onWritten, show, write, writtenIn } from './written';

/** Days picked in a month view, under the row that holds them. */
export class MonthView {
  readonly element = $('<div class="algo-days" role="group">');
  private readonly about = $('<div class="algo-hint" role="status">');
  private readonly begin: JQuery;
  private readonly place = $('<div>');
  private readonly title = $('<strong role="status">');
  private readonly grid = $('<table role="grid">');
  private readonly count = $('<span role="status">');
  private readonly start = $('<input type="date">');
  private readonly end = $('<input type="date">');
  private days = new Set<Day>();
  /** A person wants to pick days. */
  private isWanted = false;
  private year: number;
  private month: number;
  /** The day that Tab leads to. */
  private focused: Day;

  constructor(
    private readonly row: Row,
    private readonly translate: Translate,
    id: string,
  ) {
    const now = new Date();
    [this.year, this.month] = [now.getFullYear(), now.getMonth() + 1];
    this.focused = dayAt(this.year, this.month, now.getDate());
    this.begin = button(translate('days.asDays'), () => this.want(), 'calendar');
    this.element.attr('aria-label', translate('days.title')).insertAfter(row.element);
    const earlier = button(translate('days.earlier'), () => this.turn(-1), 'chevron-left');
    const later = button(translate('days.later'), () => this.turn(1), 'chevron-right');
    this.place.append(
      $('<div class="algo-buttons">').append(earlier, this.title, later),
      this.grid.attr('aria-label', translate('days.title')),
      this.spans(id),
    );
    this.element.append(this.about, this.begin, this.place);
    this.grid.on('click', 'button', ({ currentTarget }) => this.pick(currentTarget as HTMLElement));
    this.grid.on('keydown', 'button', (event) => this.move(event));
    onWritten(row, () => this.follow());
    this.follow();
  }

  private spans(id: string): JQuery {
    const { translate } = this;
    const box = (input: JQuery, part: 'start' | 'end') => [
      $('<label>')
        .attr('for', `${id}-${part}`)
        .text(translate(`days.${part}`)),
      input.attr('id', `${id}-${part}`),
    ];
    return $('<div class="algo-buttons">').append(
      ...box(this.start, 'start'),
      ...box(this.end, 'end'),
      button(translate('days.add'), () => this.span(true), 'plus'),
      button(translate('days.remove'), () => this.span(false), 'minus'),
      this.count,
    );
  }

  /** Shows the calendar, for whoever has not written anything yet. */
  private want(): void {
    this.isWanted = true;
    if (['json', 'str'].includes(this.row.input.typedInput('type'))) this.follow();
    else write(this.row, []);
    this.grid.find('button[tabindex="0"]').trigger('focus');
    RED.tray.resize();
  }

  /** Shows what is written in the row; never writes. */
  private follow(): void {
    const written = writtenIn(this.row);
    const type = this.row.input.typedInput('type');
    const isLiteral = type === 'json' || type === 'str';
    const days =
      written.kind === 'nothing'
        ? new Set<Day>()
        : written.kind === 'value'
          ? daysOf(written.value)
          : undefined;
    const isBegun = this.isWanted || written.kind !== 'nothing';
    const isShown = days !== undefined && isLiteral && isBegun;
    const words = written.kind === 'elsewhere' || days !== undefined || !isLiteral ? '' : 'days.noDays';
    this.about.text(words === '' ? '' : this.translate(words)).toggle(words !== '');
    this.begin.toggle(written.kind === 'nothing' && !isShown);
    this.place.toggle(isShown);
    if (!isShown) return;
    const isNew = [...days].some((day) => !this.days.has(day)) && !days.has(this.focused);
    this.days = days;
    if (isNew) this.turnTo(Math.min(...days));
    this.show();
  }

  private turn(by: number): void {
    const { year, month } = partsOf(dayAt(this.year, this.month + by, 1));
    [this.year, this.month] = [year, month];
    this.focused = dayAt(year, month, 1);
    this.show();
  }

  private turnTo(day: Day): void {
    const { year, month } = partsOf(day);
    [this.year, this.month] = [year, month];
    this.focused = day;
  }

  private pick({ dataset }: HTMLElement): void {
    const day = Number(dataset.day);
    this.focused = day;
    if (!this.days.delete(day)) this.days.add(day);
    this.write();
    this.grid.find(`[data-day="${day}"]`).trigger('focus');
  }

  private span(isAdded: boolean): void {
    const [start, end] = [dayIn(this.start.val()), dayIn(this.end.val() || this.start.val())];
    if (start === undefined || end === undefined) return;
    for (let day = start; day <= Math.min(end, start + 3660); day += 1) {
      if (isAdded) this.days.add(day);
      else this.days.delete(day);
    }
    this.turnTo(start);
    this.write();
  }

  private write(): void {
    const list = listOf(this.days);
    const [only] = list;
    const isText =
      this.row.input.typedInput('type') === 'str' && list.length === 1 && typeof only === 'string';
    if (isText) show(this.row, { type: 'str', value: only });
    else write(this.row, list);
    this.show();
  }

  /** The keys of a grid of days. */
  private move(event: JQuery.KeyDownEvent): void {
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -7,
      ArrowDown: 7,
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    this.turnTo(this.focused + step);
    this.show();
    this.grid.find(`[data-day="${this.focused}"]`).trigger('focus');
  }

  private show(): void {
    const { year, month } = this;
    const first = dayAt(year, month, 1);
    const after = dayAt(year, month + 1, 1);
    const monday = first - weekdayOf(first);
    this.title.text(dayWords(first, { year: 'numeric', month: 'long' }));
    const head = $('<tr>');
    for (let day = monday; day < monday + 7; day += 1) {
      head.append($('<th scope="col">').text(dayWords(day, { weekday: 'short' })));
    }
    this.grid.empty().append($('<thead>').append(head));
    for (let week = monday; week < after; week += 7) {
      const line = $('<tr>');
      for (let day = week; day < week + 7; day += 1) {
        const isOfMonth = day >= first && day < after;
        line.append($('<td>').append(isOfMonth ? this.button(day) : ''));
      }
      this.grid.append(line);
    }
    this.count.text(this.translate('days.chosen', { count: String(this.days.size) }));
    RED.tray.resize();
  }

  private button(day: Day): JQuery {
    return $('<button type="button" class="algo-day">')
      .text(partsOf(day).date)
      .attr({
        'data-day': day,
        'data-date': dateOf(day),
        'aria-label': dayWords(day, { dateStyle: 'full' }),
        'aria-pressed': String(this.days.has(day)),
        tabindex: day === this.focused ? 0 : -1,
      });
  }
}
