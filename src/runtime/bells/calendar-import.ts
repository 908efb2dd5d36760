import type { Bell } from '../../bells/bell';
import { type Day, dateOf, dayOf } from '../../bells/calendar';
import type { NotImported } from '../../bells/calendar-file/entries';
import { importBells } from '../../bells/calendar-file/import-bells';
import { importDays } from '../../bells/calendar-file/import-days';
import { textsOf } from '../../bells/findings';
import { LocalizedMessage, localized } from '../../catalogue/localized-message';
import type { Parameters } from '../../catalogue/operation';
import type { Phrase } from '../../catalogue/phrases';
import { Slices } from '../../kernel/time/slices';
import { keepLocalizedMessages } from './localized-lists';

const defaultDays = 365;

/** The bells or the days without bells that the operation `import` takes from a calendar. */
export interface CalendarImport {
  readonly bells: readonly Bell[];
  readonly days: readonly Day[];
  /** The fields `imported` (only for days) and `notImported` of the answer. */
  readonly answer: Parameters;
  /** Results that the user perhaps does not expect. */
  readonly notes: readonly LocalizedMessage[];
  /** Whether the calendar has no end, so that entries are probably missing. */
  readonly isCutOff: boolean;
}

/**
 * @param parameters the parameters of the operation `import`, already checked
 * @param otherWallClock the reason why times of other zones cannot be converted; undefined if they can be
 * @returns undefined if the import takes too many steps
 */
export async function readImport(
  { ics, as, audio, match, without, from, until }: Parameters,
  today: Day,
  otherWallClock?: LocalizedMessage,
): Promise<CalendarImport | undefined> {
  const filter = { match: textsOf(match), without: textsOf(without) };
  const [first, last] = [from, until].map((date) => (date === undefined ? undefined : dayOf(String(date))));
  if (as === 'bells') {
    const span = { from: first, until: last, otherWallClock };
    const found = await importBells(String(ics), audio, span, today, filter);
    return (
      found && {
        ...{ bells: found.bells, days: [], answer: await notImportedOf(found.notImported) },
        ...remarksOn(found.notImported),
      }
    );
  }
  const begin = first ?? today;
  const span = { from: begin, until: last ?? begin + defaultDays };
  const found = await importDays(String(ics), span, today, filter);
  if (!found) return undefined;
  const imported = [...found.days]
    .sort(([one], [other]) => one - other)
    .flatMap(([day, names]) => [...names].map((name) => ({ date: dateOf(day), name })));
  const answer = { imported, ...(await notImportedOf(found.notImported)) };
  const remarks = remarksOn(found.notImported);
  const notes = [...daysRemarks(found.days.size, [...found.timed]), ...remarks.notes];
  return { bells: [], days: [...found.days.keys()], answer, ...remarks, notes };
}

function remarksOn(notImported: readonly NotImported[]): Pick<CalendarImport, 'notes' | 'isCutOff'> {
  const isUnclosed = ({ reason }: NotImported) =>
    reason instanceof LocalizedMessage &&
    reason.phrase === ('icsUnclosed' satisfies Phrase) &&
    reason.values.name === 'VCALENDAR';
  const isCutOff = notImported.some(isUnclosed);
  const count = String(notImported.length);
  const notes = [
    ...(isCutOff ? [localized('icsCutOff')] : []),
    ...(notImported.length > 0 ? [localized('notImported', { count })] : []),
  ];
  return { notes, isCutOff };
}

const maxNamed = 3;

function daysRemarks(count: number, timed: readonly string[]): LocalizedMessage[] {
  if (count === 0) return [localized('noDayImported')];
  if (timed.length === 0) return [];
  const names = [...timed.slice(0, maxNamed), ...(timed.length > maxNamed ? ['…'] : [])].join(', ');
  return [localized('wholeDays', { entries: names })];
}

async function notImportedOf(entries: readonly NotImported[]): Promise<Parameters> {
  const slices = new Slices();
  const notImported: Parameters[] = [];
  for (const { name, line, reason } of entries) {
    notImported.push({ name, line, reason: String(reason) });
    if (slices.isOver) await slices.next();
  }
  keepLocalizedMessages(
    notImported,
    entries.map(({ reason }) => reason),
  );
  return { notImported };
}
