import { type Day, dateOf, dayAt, partsOf, weekdayOf } from '../../../bells/calendar';
import { button } from '../page/button';
import { dayIn, dayWords } from './day-texts';

const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -7,
  ArrowDown: 7,
};

export class MonthGrid {
  readonly element = $('<div>');
  private readonly title = $('<strong role="status">');
  private readonly grid = $('<table role="grid">');
  private readonly count = $('<span role="status">');
  private readonly start = $('<input type="date">');
  private readonly end = $('<input type="date">');
  private days = new Set<Day>();
  private year: number;
  private month: number;
  /** The only day of the grid that the Tab key reaches. */
  private focused: Day;

  constructor(
    private readonly translate: Translate,
    id: string,
    private readonly picked: (days: ReadonlySet<Day>) => void,
  ) {
    const now = new Date();
    [this.year, this.month] = [now.getFullYear(), now.getMonth() + 1];
    this.focused = dayAt(this.year, this.month, now.getDate());
    const earlier = button(translate('days.earlier'), () => this.turn(-1), 'chevron-left');
    const later = button(translate('days.later'), () => this.turn(1), 'chevron-right');
    this.element.append(
      $('<div class="algo-buttons">').append(earlier, this.title, later),
      this.grid.attr('aria-label', translate('days.title')),
      this.spans(id),
    );
    this.grid.on('click', 'button', ({ currentTarget }) => this.pick(currentTarget as HTMLElement));
    this.grid.on('keydown', 'button', (event) => this.move(event));
  }

  /**
   * Shows picked days. If a day is newly picked and the focused day is not picked, turns to the month of the
   * earliest picked day.
   */
  show(days: ReadonlySet<Day>): void {
    const isNew = [...days].some((day) => !this.days.has(day)) && !days.has(this.focused);
    this.days = new Set(days);
    if (isNew) this.turnTo(Math.min(...days));
    this.draw();
  }

  focus(): void {
    this.grid.find(`[data-day="${this.focused}"]`).trigger('focus');
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

  private turn(by: number): void {
    const { year, month } = partsOf(dayAt(this.year, this.month + by, 1));
    [this.year, this.month] = [year, month];
    this.focused = dayAt(year, month, 1);
    this.draw();
  }

  turnTo(day: Day): void {
    const { year, month } = partsOf(day);
    [this.year, this.month] = [year, month];
    this.focused = day;
  }

  private pick({ dataset }: HTMLElement): void {
    const day = Number(dataset.day);
    this.focused = day;
    if (!this.days.delete(day)) this.days.add(day);
    this.notify();
    this.focus();
  }

  private span(isAdded: boolean): void {
    const [start, end] = [dayIn(this.start.val()), dayIn(this.end.val() || this.start.val())];
    if (start === undefined || end === undefined) return;
    for (let day = start; day <= Math.min(end, start + 3660); day += 1) {
      if (isAdded) this.days.add(day);
      else this.days.delete(day);
    }
    this.turnTo(start);
    this.notify();
  }

  private notify(): void {
    this.picked(this.days);
    this.draw();
  }

  private move(event: JQuery.KeyDownEvent): void {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    this.turnTo(this.focused + step);
    this.draw();
    this.focus();
  }

  private draw(): void {
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
