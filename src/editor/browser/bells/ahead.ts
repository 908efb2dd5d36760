import { readBells } from '../../../bells/bell';
import { type Day, dateOf, dayAt } from '../../../bells/calendar';
import type { ExtensibleDialog } from '../form/dialog-extension';
import { button } from '../page/button';
import { sayWithHelp } from '../tools/error-help';
import { askDevice, chosenDevice, type DeviceResponse } from './ask-device';
import { askFirst } from './ask-first';
import { type GivenBell, rowsOf } from './cells';
import { dayIn, daysOf, dayWords, listOf } from './day-texts';
import { loadWeek, type Ring, type Rings } from './load-week';
import { readRow, writeRow } from './row-value';

const days = 14;

type Source = 'form' | 'device';

export class Ahead {
  readonly element = $('<details class="algo-fold algo-ahead">');
  private readonly status = $('<div class="algo-about" role="status">');
  private readonly list = $('<div class="algo-rings">');
  private readonly week = $('<div class="algo-week">').prop('hidden', true);
  private readonly views: Readonly<Record<'list' | 'week', JQuery>>;
  private readonly sources = $('<div class="algo-chips" role="group">');
  private readonly bySource: Readonly<Record<Source, JQuery>>;
  private wanted: Source = 'form';
  private rings: Rings = {};
  private view: 'list' | 'week' = 'list';
  private asked = 0;
  private device: string | undefined;

  constructor(private readonly dialog: ExtensibleDialog) {
    const { translate } = dialog;
    this.views = {
      list: button(translate('ahead.list'), () => this.turn('list'), 'list'),
      week: button(translate('ahead.week'), () => this.turn('week'), 'calendar'),
    };
    const views = $('<div class="algo-chips" role="group">').attr('aria-label', translate('ahead.view'));
    views.append(
      this.views.list,
      this.views.week,
      button(translate('ahead.again'), () => this.read(), 'refresh'),
    );
    this.bySource = {
      form: button(translate('ahead.ofForm'), () => this.choose('form'), 'pencil'),
      device: button(translate('ahead.ofDevice'), () => this.choose('device'), 'bell'),
    };
    this.sources.attr('aria-label', translate('ahead.source'));
    this.sources.append(this.bySource.form, this.bySource.device);
    this.element.append(
      $('<summary>').text(translate('ahead.title')),
      this.sources,
      views,
      this.status,
      this.list,
      this.week,
    );
    this.element.on('toggle', () => {
      if (this.element.prop('open')) this.read();
    });
    dialog.root.on('change', () => {
      const isOfForm = this.device === undefined || (this.wanted === 'form' && this.written().length > 0);
      if (this.element.prop('open') && isOfForm) this.read();
    });
    this.turn('list');
  }

  private choose(source: Source): void {
    this.wanted = source;
    this.read();
  }

  private written(): readonly GivenBell[] {
    const row = this.dialog.row('bells');
    const written = row && readRow(row);
    return written?.kind === 'value' && rowsOf(written.value) ? (written.value as GivenBell[]) : [];
  }

  refresh(): void {
    if (this.element.prop('open')) this.read();
  }

  private async read(focused?: string): Promise<void> {
    const { translate } = this.dialog;
    const chosen = chosenDevice();
    const hasBells = this.written().length > 0;
    const source = hasBells && this.wanted === 'form' ? 'form' : 'device';
    this.device = source === 'device' ? chosen : undefined;
    this.sources.toggle(hasBells && chosen !== undefined);
    for (const [name, own] of Object.entries(this.bySource)) {
      own.addClass('algo-chip').attr('aria-pressed', String(name === source));
    }
    this.asked += 1;
    const asked = this.asked;
    this.report(this.device ? translate('bells.asking') : '');
    const { device } = this;
    const parameters = { days };
    const response = device
      ? await askDevice(device, 'look', { operation: 'preview', parameters }, translate)
      : await this.form();
    if (asked !== this.asked) return;
    const { events } = (response.answer ?? {}) as { events?: Rings };
    this.rings = events ?? {};
    if (response.error !== undefined)
      this.report(
        device ? translate('plan.wrong', { error: response.error }) : response.error,
        response.code,
      );
    else
      this.report(
        device ? translate('ahead.device', { device: response.device ?? '' }) : translate('ahead.form'),
      );
    this.show();
    if (focused !== undefined) this.list.find(`[data-ring="${CSS.escape(focused)}"]`).trigger('focus');
  }

  private report(words: string, code?: string): void {
    sayWithHelp(this.status, words, code);
  }

  /**
   * Returns the rings of the form's valid and enabled bells for `days` days from today, by the clock of the
   * browser. A ring on a day that is an exception of its bell is marked as skipped.
   */
  private async form(): Promise<DeviceResponse> {
    const list = this.written();
    if (list.length === 0) return { error: this.dialog.translate('ahead.empty') };
    const now = new Date();
    const today = dayAt(now.getFullYear(), now.getMonth() + 1, now.getDate());
    const whole = list.map(({ except, ...bell }) => bell);
    const [{ bells }, regular] = await Promise.all([readBells(list), readBells(whole)]);
    const real = new Map(bells.map((bell) => [list.indexOf(bell.given), bell.when(today)]));
    const scheduled = regular.bells.flatMap((bell) => {
      const place = whole.indexOf(bell.given);
      return bell.isEnabled && real.has(place) ? [{ bell, place, on: bell.when(today) }] : [];
    });
    const events: Record<string, Ring[]> = {};
    for (let day = today; day < today + days; day += 1) {
      const rings = scheduled.filter(({ on }) => on?.ringsOn(day));
      events[dateOf(day)] = rings
        .map(({ bell, place }) => ({
          ...{ evid: null, place, name: bell.name, start_time: bell.time, color: bell.given.color },
          skipped: !real.get(place)?.ringsOn(day),
        }))
        .sort((a, b) => (a.start_time < b.start_time ? -1 : Number(a.start_time > b.start_time)));
    }
    return { answer: { events } };
  }

  private turn(view: 'list' | 'week'): void {
    this.view = view;
    for (const [name, own] of Object.entries(this.views)) {
      own.addClass('algo-chip').attr('aria-pressed', String(name === view));
    }
    this.list.prop('hidden', view !== 'list');
    this.week.prop('hidden', view !== 'week');
    this.show();
  }

  private show(): void {
    if (this.view === 'week') this.showWeek();
    else this.showList();
  }

  private showWeek(): void {
    const { rings, week } = this;
    const [element] = week.get();
    loadWeek().then(
      ({ show }) => {
        if (element && this.view === 'week') show(element, rings);
      },
      () => week.text(this.dialog.translate('ahead.weekMissing')),
    );
  }

  private showList(): void {
    this.list.empty();
    for (const [date, rings] of Object.entries(this.rings)) {
      const items = rings.map((ring) => this.item(date, ring));
      const none = $('<p class="algo-about">').text(this.dialog.translate('ahead.none'));
      this.list.append($('<h4>').text(dateText(date)), items.length > 0 ? $('<ul>').append(items) : none);
    }
  }

  private item(date: string, ring: Ring): JQuery {
    const { translate } = this.dialog;
    const isSkipped = Boolean(ring.skipped);
    const [time, name] = [String(ring.start_time ?? ''), String(ring.name ?? '')];
    const item = $('<li>').append($('<span>').text(`${time.slice(0, 5)} ${name}`), ' ');
    if (isSkipped) item.addClass('algo-skipped').append($('<em>').text(translate('ahead.skipped')), ' ');
    const verb = isSkipped ? 'unskip' : 'skip';
    const words = { name, time, date: dateText(date) };
    if (ring.place !== undefined) {
      const { place } = ring;
      const own = button(translate(`ahead.${verb}`), () => this.except(place, date));
      return item.append(
        own.attr({ 'aria-label': translate(`ahead.${verb}Bell`, words), 'data-ring': `${date} ${place}` }),
      );
    }
    if (!this.device || typeof ring.evid !== 'number') return item;
    const press = button(translate(`ahead.${verb}`), (own) => {
      const question = translate(isSkipped ? 'ahead.askUnskip' : 'ahead.askSkip', words);
      const answers = { question, yes: translate(`ahead.${verb}`), no: translate('plan.cancel') };
      askFirst(own, answers, () => this.mark(verb, date, ring.evid));
    });
    press.attr({ 'aria-label': translate(`ahead.${verb}Bell`, words), 'data-ring': `${date} ${ring.evid}` });
    return item.append(press);
  }

  /**
   * Adds a day to the exceptions of a bell in the form; if the day is an exception already, removes the day.
   */
  private async except(place: number, date: string): Promise<void> {
    const row = this.dialog.row('bells');
    const list = this.written();
    const { except, ...bell } = list[place] ?? {};
    const day = dayIn(date);
    const before = except === undefined ? new Set<Day>() : daysOf(except);
    if (!row || day === undefined || !before) return;
    if (!before.delete(day)) before.add(day);
    const changed = before.size === 0 ? bell : { ...bell, except: listOf(before) };
    writeRow(
      row,
      list.map((one, index) => (index === place ? changed : one)),
    );
    await this.read(`${date} ${place}`);
  }

  private async mark(operation: 'skip' | 'unskip', date: string, evid: unknown): Promise<void> {
    const { device } = this;
    if (!device) return;
    const { translate } = this.dialog;
    this.report(translate('bells.asking'));
    const asked = { operation, parameters: { dates: date, evid } };
    const response = await askDevice(device, 'change', asked, translate);
    if (response.error !== undefined) {
      return this.report(translate('plan.wrong', { error: response.error }), response.code);
    }
    await this.read(`${date} ${evid}`);
  }
}

function dateText(date: string): string {
  const day: Day | undefined = dayIn(date);
  return day === undefined ? date : dayWords(day, { weekday: 'long', day: 'numeric', month: 'long' });
}
