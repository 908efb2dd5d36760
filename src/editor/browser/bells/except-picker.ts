import type { Day } from '../../../bells/calendar';
import { button, iconButton } from '../page/button';
import type { BellRow } from './cells';
import { dayIn, dayListOf, daysOf, listOf, textOfDays } from './day-texts';
import { MonthGrid } from './month-grid';

export class ExceptPicker {
  readonly element = $('<div class="algo-days" role="group">').prop('hidden', true);
  private readonly title = $('<h4>');
  private readonly about = $('<div class="algo-hint" role="status">');
  private readonly grid: MonthGrid;
  private opener: JQuery | undefined;
  /** Index of the row whose exceptions the open picker edits; undefined while the picker is closed. */
  place: number | undefined;

  constructor(
    private readonly translate: Translate,
    id: string,
    private readonly picked: (place: number, text: string) => void,
  ) {
    this.grid = new MonthGrid(translate, id, (days) => this.write(days));
    const close = button(translate('rows.exceptClose'), () => this.close(), 'check');
    this.element.append(
      this.title,
      this.about,
      this.grid.element,
      $('<div class="algo-buttons">').append(close),
    );
    this.element.on('keydown', (event) => {
      if (event.key !== 'Escape') return;
      // Otherwise, Escape would close the dialog too.
      event.stopPropagation();
      event.preventDefault();
      this.close();
    });
  }

  opening(place: number, rowOf: () => BellRow | undefined): JQuery {
    const words = this.translate('rows.exceptPick', { row: String(place + 1) });
    const toggle = (made: JQuery) => {
      const row = rowOf();
      if (this.place === place) this.close();
      else if (row) this.open(place, row, made);
    };
    return iconButton(words, toggle, 'calendar')
      .addClass('algo-except')
      .attr({ title: words, 'data-except': place, 'aria-expanded': String(this.place === place) });
  }

  private open(place: number, row: BellRow, opener: JQuery): void {
    this.close();
    this.place = place;
    this.opener = opener.attr('aria-expanded', 'true');
    this.title.text(this.translate('rows.exceptOf', { row: String(place + 1), name: row.name }));
    this.element.attr('aria-label', this.title.text()).prop('hidden', false);
    const from = dayIn(row.from);
    if (from !== undefined) this.grid.turnTo(from);
    this.follow(row);
    this.grid.focus();
  }

  close(): void {
    const hadFocus = this.element.has(':focus').length > 0;
    this.place = undefined;
    this.element.prop('hidden', true);
    this.opener?.attr('aria-expanded', 'false');
    if (hadFocus) this.opener?.trigger('focus');
    this.opener = undefined;
  }

  follow({ except }: BellRow): void {
    const days = except === '' ? new Set<Day>() : daysOf(dayListOf(except));
    this.about.text(days ? '' : this.translate('days.noDays')).toggle(days === undefined);
    this.grid.element.toggle(days !== undefined);
    if (days) this.grid.show(days);
  }

  private write(days: ReadonlySet<Day>): void {
    if (this.place !== undefined) this.picked(this.place, textOfDays(listOf(days)) ?? '');
  }
}
