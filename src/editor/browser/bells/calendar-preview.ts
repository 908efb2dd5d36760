import type { Day } from '../../../bells/calendar';
import type { ExtensibleDialog } from '../form/dialog-extension';
import { whenInPage } from '../page/load';
import { findingsRegion, itemsOf, showFindings } from '../table/findings';
import { askForCalendar } from './ask-device';
import type { GivenBell } from './cells';
import { dayIn, dayWords } from './day-texts';
import { nameOf } from './plan';
import { onRowChange, readRow } from './row-value';

/** The parameters of `import` that change what the calendar gives. */
const names = ['ics', 'as', 'match', 'without', 'from', 'until'] as const;

/** Pause after the last change before Node-RED is asked, in milliseconds. */
const pauseMs = 400;

const maxShown = 50;

/** The answer of `algo/bells/calendar`. */
interface Imported {
  readonly imported?: readonly { readonly date: string; readonly name: string }[];
  readonly bells?: readonly GivenBell[];
  readonly warnings?: readonly string[];
  readonly notImported?: readonly { readonly name: string; readonly line: number; readonly reason: string }[];
}

/** Lists what an import takes from the calendar in the form, and what it leaves out and why. */
export class CalendarPreview {
  readonly element = $('<div class="algo-plan">');
  private readonly wrong = findingsRegion();
  private readonly status = $('<div role="status">');
  private readonly details = $('<div>');
  private asked = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly dialog: ExtensibleDialog) {
    this.element.append(this.wrong, this.status, this.details);
    for (const name of names) {
      const row = dialog.row(name);
      if (row) onRowChange(row, () => this.wait());
    }
    this.ask();
  }

  private wait(): void {
    this.asked += 1;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => whenInPage(this.element, () => this.ask()), pauseMs);
  }

  /** Returns undefined if a message brings one of the parameters, or if the calendar is missing. */
  private parameters(): Readonly<Record<string, unknown>> | undefined {
    const known: Record<string, unknown> = {};
    for (const name of names) {
      const row = this.dialog.row(name);
      const written = row?.isInForm ? readRow(row) : undefined;
      if (written?.kind === 'value') known[name] = written.value;
      else if (written && written.kind !== 'nothing') return undefined;
    }
    return known.ics === undefined ? undefined : known;
  }

  private async ask(): Promise<void> {
    const { translate } = this.dialog;
    this.asked += 1;
    const asked = this.asked;
    const parameters = this.parameters();
    this.show([], '');
    if (!parameters) return;
    this.status.text(translate('calendar.asking'));
    // Also before its use is chosen, a text can be no calendar.
    const { error, answer } = await askForCalendar({ as: 'exclude', ...parameters }, translate);
    if (asked !== this.asked) return;
    if (error !== undefined) this.show([error], '');
    else if (parameters.as === undefined) this.show([], translate('calendar.chooseAs'));
    else this.list((answer ?? {}) as Imported);
  }

  private show(wrong: readonly string[], words: string): void {
    showFindings(this.wrong, wrong, this.dialog.translate);
    this.status.text(words);
    this.details.empty();
  }

  private list({ imported = [], bells, warnings = [], notImported = [] }: Imported): void {
    const { translate } = this.dialog;
    const count = bells ? bells.length : new Set(imported.map(({ date }) => date)).size;
    this.show([], translate(bells ? 'calendar.bells' : 'calendar.days', { count: String(count) }));
    if (warnings.length > 0) {
      const region = findingsRegion('algo-warning').appendTo(this.details);
      showFindings(region, warnings, translate);
    }
    this.append(bells ? bells.map(nameOf) : linesOf(imported));
    if (notImported.length === 0) return;
    const left = translate('calendar.notImported', { count: String(notImported.length) });
    this.details.append($('<h4>').text(left));
    const colon = translate('colon');
    this.append(
      notImported.map(({ name, line, reason }) =>
        translate('finding.line', { line: String(line), sentence: `${name}${colon}${reason}` }),
      ),
    );
  }

  private append(lines: readonly string[]): void {
    this.details.append($('<ul>').append(itemsOf(lines, maxShown, this.dialog.translate)));
  }
}

/** Returns a line for each run of days with the same entries. The days are in their order. */
function linesOf(imported: NonNullable<Imported['imported']>): string[] {
  const days = new Map<string, string[]>();
  for (const { date, name } of imported) days.set(date, [...(days.get(date) ?? []), name]);
  const runs: { first: Day; last: Day; names: string }[] = [];
  for (const [date, entries] of days) {
    const day = dayIn(date) ?? 0;
    const entryNames = entries.join(', ');
    const run = runs.at(-1);
    if (run?.names === entryNames && run.last === day - 1) run.last = day;
    else runs.push({ first: day, last: day, names: entryNames });
  }
  const words = (day: Day) =>
    dayWords(day, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
  return runs.map(({ first, last, names: entryNames }) => {
    const span = first === last ? words(first) : `${words(first)} – ${words(last)}`;
    return `${span} · ${entryNames}`;
  });
}
