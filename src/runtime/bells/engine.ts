import { type Bell, readBells } from '../../bells/bell';
import { type Day, dayOf, spanOf } from '../../bells/calendar';
import { exportCalendar } from '../../bells/calendar-file/export';
import { isOff, placesIn, textOf } from '../../bells/database';
import { readDayList } from '../../bells/day-list';
import { isMarked, type Mark, markBody, type Selector } from '../../bells/marks';
import { planOf } from '../../bells/plan';
import { predictCalendar } from '../../bells/predict-calendar';
import { foreseen, silent, type UnverifiedDays, unverifiedDaysOf } from '../../bells/unverified-days';
import { warningsOf } from '../../bells/warnings';
import { joinMessages, localized, type Text } from '../../catalogue/localized-message';
import type { Parameters } from '../../catalogue/operation';
import { addDetails } from '../../catalogue/sentence';
import type { Answer, CallOptions, Turn } from '../../client/client';
import { DeviceError, reasonOf } from '../../client/errors';
import { detailsOf } from '../message/confirmation';
import type { DeliveryContext } from '../message/hooks';
import { readImport } from './calendar-import';
import { commit } from './commit';
import { keepLocalizedMessages } from './localized-lists';
import { daysAtOnce, SchedulerSession } from './scheduler-session';

export type SchedulerHandler = (visit: SchedulerSession) => Promise<Answer>;

const defaultPreviewDays = 14;
const defaultExportDays = 366;

/**
 * Default delay of `ring` in seconds: the shortest delay that the manufacturer recommends (docs/interface.md,
 * section 2.6a).
 */
const defaultDelay = 10;

function markDays(mark: Mark): SchedulerHandler {
  return (visit) => {
    const { dates, ...selector } = visit.delivery.parameters;
    return markThese(visit, mark, [...readDayList(dates, 'dates').days], selector);
  };
}

async function markThese(
  visit: SchedulerSession,
  mark: Mark,
  days: readonly Day[],
  selector: Selector,
  more: Parameters = {},
): Promise<Answer> {
  await visit.database();
  await visit.clock();
  if (days.length === 0) return visit.answer(more);
  const [first, last] = spanOf(days);
  const echo = await commit(visit, markBody(mark, days, selector), async () => {
    const calendar = await visit.range(first, last - first + 1);
    return isMarked(mark, days, selector, await visit.database(), calendar);
  });
  if (ringsNothing(mark, echo)) visit.delivery.note(localized('noBellThen'));
  return visit.answer(Object.keys(more).length === 0 ? echo : { ...(echo as object), ...more });
}

/** Whether the device says that no bell rings on any of the days (`affected_events`, section 4.13). */
function ringsNothing(mark: Mark, echo: unknown): boolean {
  const entries = (mark === 'skip' || mark === 'exclude') && Object(echo)[mark];
  return (
    Array.isArray(entries) &&
    entries.length > 0 &&
    entries.every((entry) => Array.isArray(entry?.affected_events) && entry.affected_events.length === 0)
  );
}

/**
 * Schedules one event, which rings after `delay` seconds. By default, the device then deletes the event, so
 * that the schedule does not fill up with old events.
 */
async function ring(visit: SchedulerSession): Promise<Answer> {
  const { delay = defaultDelay, name = 'Ring', ...fields } = visit.delivery.parameters;
  const before = new Set((await visit.database()).events.map(({ evid }) => evid));
  const event = { event_type: 'play_tone', name, rrule: '', auto_remove: 1, ...fields, delay };
  const sentAt = performance.now();
  const echo = await commit(visit, { events: [event] }, async () => {
    const { events } = await visit.database();
    if (events.some((one) => !before.has(one.evid) && one.name === name && one.audio === fields.audio))
      return true;
    // By default, the device deletes an event that has rung, so a missing event can be a success.
    const mayBeOver = !isOff(fields.auto_remove) && performance.now() - sentAt >= Number(delay) * 1_000;
    return mayBeOver ? undefined : false;
  });
  return visit.answer(echo);
}

async function sync(visit: SchedulerSession): Promise<Answer> {
  const { tag, bells, dryRun } = visit.delivery.parameters;
  const read = await readBells(bells as readonly unknown[]);
  return makeThese(visit, String(tag), read.bells, dryRun === true);
}

async function makeThese(
  visit: SchedulerSession,
  tag: string,
  bells: readonly Bell[],
  dryRun: boolean,
  more: Parameters = {},
): Promise<Answer> {
  const { delivery } = visit;
  const database = await visit.database();
  const clock = await visit.clock();
  const { now } = clock;
  const { post, findings, scheduled: rung, ...changes } = await planOf(database, tag, bells, now.day);
  refuse(visit, findings);
  const tones = bells.length > 0 ? await visit.tones() : undefined;
  const localizedWarnings: Text[] = [...clock.warnings, ...(await warningsOf(rung, now, tones))];
  const warnings = localizedWarnings.map(String);
  keepLocalizedMessages(warnings, localizedWarnings);
  const answer = { dryRun, ...changes, warnings, ...more };
  const perDay = placesIn(database).length;
  const doubts = await unverifiedDaysOf(rung, now.day, daysAtOnce(perDay));
  if (!post || dryRun) {
    reportUnverifiedDays(visit, doubts);
    return visit.answer(answer);
  }
  try {
    await commit(visit, post, async () => {
      const again = await planOf(await visit.database(), tag, bells, now.day);
      return again.post === undefined && again.findings.length === 0;
    });
  } catch (error) {
    // Unless the message was aborted, its answer is the plan even if the change fails.
    if (!delivery.abort.reason) delivery.answer = visit.answer(answer);
    throw error;
  }
  const silence = await silentDays(visit, doubts, perDay);
  for (const warning of silence) {
    warnings.push(String(warning));
    localizedWarnings.push(warning);
  }
  return visit.answer(answer);
}

function reportUnverifiedDays({ delivery }: SchedulerSession, doubts: readonly UnverifiedDays[]): void {
  const words = foreseen(doubts);
  if (words !== undefined) delivery.note(words);
}

/**
 * Returns warnings about days on which bells stay silent, among the days that could not be verified before
 * the change. If the calendar cannot be read, adds a note instead of throwing an error, since the change was
 * made.
 */
async function silentDays(
  visit: SchedulerSession,
  doubts: readonly UnverifiedDays[],
  perDay: number,
): Promise<Text[]> {
  const days = doubts.flatMap((doubt) => [doubt.days[0] ?? 0, doubt.days.at(-1) ?? 0]);
  if (days.length === 0) return [];
  const [first, last] = spanOf(days);
  try {
    return silent(doubts, await visit.range(first, last - first + 1, perDay));
  } catch (error) {
    reportUnverifiedDays(visit, doubts);
    visit.delivery.note(localized('calendarNotRead', { words: reasonOf(error) }));
    return [];
  }
}

export async function preview(visit: SchedulerSession): Promise<Answer> {
  const { from, days = defaultPreviewDays, bells, tag } = visit.delivery.parameters;
  const first = from === undefined ? undefined : dayOf(String(from));
  const count = Number(days);
  if (bells === undefined) {
    const events = await visit.range(first, count);
    await visit.clock();
    return visit.answer({ format: 'v2.0', events });
  }
  const database = await visit.database();
  const { now } = await visit.clock();
  const read = await readBells(bells as readonly unknown[]);
  const plan = await planOf(database, String(tag), read.bells, now.day);
  refuse(visit, plan.findings);
  const tones = read.bells.length > 0 ? await visit.tones() : undefined;
  for (const warning of await warningsOf(plan.scheduled, now, tones)) visit.delivery.note(warning);
  const begin = first ?? now.day;
  reportUnverifiedDays(visit, await unverifiedDaysOf(plan.scheduled, begin, count));
  const calendar = await visit.range(begin, count, placesIn(database).length);
  return visit.answer(await predictCalendar(database, plan, String(tag), calendar, begin, count));
}

async function importCalendar(visit: SchedulerSession): Promise<Answer> {
  const { parameters } = visit.delivery;
  const { as, tag } = parameters;
  const { now, otherWallClock } = await visit.clock();
  const read = await readImport(parameters, now.day, otherWallClock);
  if (!read) throw nothingSent(visit, [localized('icsTooMuch')]);
  const { bells, days, answer, notes, isCutOff } = read;
  for (const note of notes) visit.delivery.note(note);
  if (as !== 'bells') {
    const mark = as === 'skip' ? 'skip' : 'exclude';
    return markThese(visit, mark, days, tag === undefined ? {} : { tag }, answer);
  }
  // An empty calendar is more often a feed whose permission is lost than a school without bells, and a
  // calendar without an end lacks entries whose bells would be deleted.
  if (isCutOff || bells.every((bell) => isOver(bell, now.day))) {
    visit.delivery.answer = visit.answer(answer);
    throw nothingSent(visit, [localized(isCutOff ? 'icsCutOff' : 'icsNoBells')]);
  }
  return makeThese(visit, String(tag), bells, false, answer);
}

function isOver(bell: Bell, today: Day): boolean {
  const last = bell.when(today)?.last;
  return last !== undefined && last < today;
}

async function exportDays(visit: SchedulerSession): Promise<Answer> {
  const { from, days = defaultExportDays } = visit.delivery.parameters;
  const database = await visit.database();
  const { now } = await visit.clock();
  const begin = dayOf(textOf({ from }, 'from')) ?? now.day;
  const calendar = await visit.range(begin, Number(days), placesIn(database).length);
  const stamp = new Date().toISOString();
  return visit.answer(await exportCalendar(database, calendar, begin, Number(days), stamp));
}

/**
 * @throws DeviceError INVALID_PARAMETER if there are findings: the device's schedule conflicts with the
 * parameters
 */
function refuse(visit: SchedulerSession, findings: readonly Text[]): void {
  if (findings.length > 0) throw nothingSent(visit, findings);
}

function nothingSent(
  { delivery: { operationName } }: SchedulerSession,
  findings: readonly Text[],
): DeviceError {
  const words = joinMessages([...findings, localized('nothingSent')]);
  return new DeviceError('INVALID_PARAMETER', words, { operationName });
}

const schedulerHandlers: Readonly<Record<string, SchedulerHandler>> = {
  skip: markDays('skip'),
  unskip: markDays('unskip'),
  exclude: markDays('exclude'),
  unexclude: markDays('unexclude'),
  ring,
  sync,
  preview,
  import: importCalendar,
  export: exportDays,
};

export async function carryOut(delivery: DeliveryContext, turn: Turn, options: CallOptions): Promise<Answer> {
  const handler = schedulerHandlers[delivery.operation.id];
  if (!handler) throw new Error(`The operation is unknown: ${delivery.operationName}`);
  const visit = new SchedulerSession(delivery, turn, options);
  try {
    return await handler(visit);
  } catch (error) {
    const isUnclear = error instanceof DeviceError && error.outcome === 'unknown';
    if (!isUnclear || visit.hasChanged || delivery.readsOnly) throw error;
    // Only a read has failed, so nothing has changed.
    throw new DeviceError(error.code, addDetails(error.fault, localized('nothingChanged')), {
      ...detailsOf(error),
      outcome: 'failed',
    });
  }
}
