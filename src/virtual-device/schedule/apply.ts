import { sentence, short } from '../checks/checks';
import {
  maxCalendarBytes,
  maxCountedRules,
  maxDates,
  maxEvents,
  maxGroups,
  maxInstances,
  maxScheduleBytes,
} from '../choices';
import {
  affectedSize,
  type Database,
  databaseSize,
  eventSize,
  groupSize,
  type PlacedEvent,
  showAffected,
  showEvent,
  showGroup,
} from './database';
import { Draft } from './draft';
import type { ScheduleBody, Selector } from './fields';
import { type Surroundings, storeEvent, storeGroup } from './records';
import { Selection } from './selection';

/**
 * The error of an operation that cannot be carried out; the device then rejects the whole request (section
 * 4.13).
 */
export class ScheduleError extends Error {}

/**
 * Carries out the operations of a POST on a copy, so that a failed request changes nothing (section 4.13).
 * @throws ScheduleError that names each invalid entry
 */
export function applySchedule(
  before: Database,
  body: ScheduleBody,
  surroundings: Surroundings,
): { database: Database; echo: Record<string, unknown> } {
  const draft = new Draft(before);
  const selection = new Selection(draft);
  const limit = new AnswerLimit();
  const datedEntries = new DatedEntries(draft, selection, limit);
  const echo: Record<string, unknown> = {};
  for (const operation of dated) {
    const entries: readonly Dated[] | undefined = body[operation.key];
    if (entries)
      echo[operation.key] = each(draft, operation.key, entries, (entry, name) =>
        datedEntries.apply(operation, name, entry),
      );
  }
  if (body.delete)
    echo.delete = each(draft, 'delete', body.delete, (entry, name) =>
      applyDelete(draft, selection, name, entry),
    );
  const groups =
    body.groups &&
    each(draft, 'groups', body.groups, (group, name) => storeGroup(draft, name, group, surroundings));
  const events =
    body.events &&
    each(draft, 'events', body.events, (event, name) => storeEvent(draft, name, event, surroundings));
  if (draft.mistakes.length > 0) throw new ScheduleError(sentence(draft.mistakes));
  refuseLarge(draft);
  const database = draft.finish();
  if (databaseSize(database) > maxScheduleBytes)
    throw new ScheduleError(`the device stores at most ${maxScheduleBytes} bytes of schedules`);
  // A request can update one event or one group many times, and the answer then shows it each time.
  for (const group of groups ?? []) limit.add(groupSize(group));
  for (const event of events ?? []) limit.add(eventSize(event));
  if (groups) echo.groups = groups.map(showGroup);
  if (events) echo.events = events.map(showEvent);
  return { database, echo };
}

function each<E, R>(
  draft: Draft,
  key: string,
  entries: readonly E[],
  apply: (entry: E, name: string) => R,
): readonly R[] {
  return entries.map((entry, index) => {
    if (draft.isHopeless) throw new ScheduleError(sentence(draft.mistakes));
    return apply(entry, `${key}[${index}]`);
  });
}

/** Carries out the dated operations of one request, and limits the work and the size of the answer. */
class DatedEntries {
  readonly #draft: Draft;
  readonly #selection: Selection;
  readonly #answer: AnswerLimit;
  /** The results of earlier entries: a repeated entry changes nothing more and has the same result. */
  readonly #results = new Map<string, AffectedEvents>();
  #instances = 0;

  constructor(draft: Draft, selection: Selection, answer: AnswerLimit) {
    this.#draft = draft;
    this.#selection = selection;
    this.#answer = answer;
  }

  apply(operation: DatedOperation, name: string, entry: Dated): unknown {
    const { date: plain, exdate, evid, groupid, tag } = entry;
    const date = plain ?? exdate ?? '';
    const key = JSON.stringify([operation.key, date, evid, groupid, tag]);
    const affected = this.#results.get(key) ?? this.#affect(operation, name, entry, date);
    this.#results.set(key, affected);
    this.#answer.add(affected.size);
    return affected.events ? { ...entry, affected_events: affected.events } : entry;
  }

  #affect(operation: DatedOperation, name: string, selector: Selector, date: string): AffectedEvents {
    const places =
      selector.evid === -1 ? this.#onDay(date) : selectedEvents(this.#draft, this.#selection, name, selector);
    this.#count(places.length);
    const listed = listedEvents(operation, selector, places, date);
    for (const place of places) this.#draft.setDate(place, operation.kind, date, operation.isAdded);
    if (!listed) return { size: 0 };
    const size = listed.reduce((sum, place) => sum + affectedSize(place), 0);
    this.#answer.check(size);
    return { size, events: listed.map((place) => showAffected(place, date)) };
  }

  #onDay(date: string): readonly PlacedEvent[] {
    if (!this.#selection.hasDay(date)) this.#count(this.#draft.eventCount);
    return this.#selection.onDay(date);
  }

  #count(instances: number): void {
    this.#instances += instances;
    if (this.#instances > maxInstances)
      throw new ScheduleError(`the request is about more than ${maxInstances} instances of events`);
  }
}

/**
 * Returns the events that the answer lists; undefined if the answer lists none. Must be called before the
 * operation changes the events.
 */
function listedEvents(
  { kind, isAdded, alwaysLists }: DatedOperation,
  { evid }: Selector,
  places: readonly PlacedEvent[],
  date: string,
): readonly PlacedEvent[] | undefined {
  if (evid !== -1) return alwaysLists ? places : undefined;
  // "All events of that day" includes the events that this operation excludes or restores.
  if (kind === 'excluded' && !isAdded) return places;
  return places.filter(({ event }) => !event.excluded.has(date));
}

interface AffectedEvents {
  /** Size in the answer, in bytes. */
  readonly size: number;
  readonly events?: readonly Record<string, unknown>[];
}

/** The sum of the sizes in an answer. Throws a ScheduleError for an answer that would be too large. */
export class AnswerLimit {
  #size = 0;

  add(size: number): void {
    this.check(size);
    this.#size += size;
  }

  check(size: number): void {
    if (this.#size + size > maxCalendarBytes)
      throw new ScheduleError(`the answer would have more than ${maxCalendarBytes} bytes`);
  }
}

function selectedEvents(
  draft: Draft,
  selection: Selection,
  name: string,
  selector: Selector,
): readonly PlacedEvent[] {
  const places = selection.find(selector);
  if (places.length === 0) {
    const { evid, groupid, tag } = selector;
    draft.mistakes.push(`${name}: nothing has ${short(JSON.stringify({ evid, groupid, tag }).slice(1, -1))}`);
  }
  return places;
}

function applyDelete(draft: Draft, selection: Selection, name: string, selector: Selector): Selector {
  const { actid, groupid } = selector;
  if (actid !== undefined) deleteCall(draft, selection, name, actid);
  else if (groupid !== undefined) {
    const group = draft.group(groupid);
    if (!group) draft.mistakes.push(`${name}: nothing has groupid ${groupid}`);
    else {
      for (const place of selection.find({ groupid })) draft.remove(place);
      draft.removeGroup(group);
    }
  } else for (const place of selectedEvents(draft, selection, name, selector)) draft.remove(place);
  return selector;
}

function deleteCall(draft: Draft, selection: Selection, name: string, actid: number): void {
  const event = selection.eventOfCall(actid);
  if (!event) draft.mistakes.push(`${name}: nothing has actid ${actid}`);
  else event.calls = event.calls.filter((call) => call.actid !== actid);
}

/** @throws ScheduleError if the schedule is larger than the device can store */
function refuseLarge(draft: Draft): void {
  const { eventCount, groupCount } = draft;
  if (eventCount > maxEvents)
    throw new ScheduleError(`the device stores at most ${maxEvents} events, not ${eventCount}`);
  if (groupCount > maxGroups)
    throw new ScheduleError(`the device stores at most ${maxGroups} groups, not ${groupCount}`);
  if (draft.countedRules > maxCountedRules)
    throw new ScheduleError(
      `the device stores at most ${maxCountedRules} monthly or yearly rules with COUNT`,
    );
  for (const { event } of draft.places)
    if (event.skipped.size > maxDates || event.excluded.size > maxDates)
      throw new ScheduleError(
        `the device stores at most ${maxDates} skipped or excluded dates of the event ${event.evid}`,
      );
}

type Dated = Selector & { readonly date?: string; readonly exdate?: string };

interface DatedOperation {
  readonly key: 'exclude' | 'remove_exclude' | 'skip' | 'remove_skip';
  readonly kind: 'excluded' | 'skipped';
  /** Whether the operation adds the date, or removes it. */
  readonly isAdded: boolean;
  /**
   * Whether the answer lists the affected events for every selector, not only for all events of a day
   * (section 3).
   */
  readonly alwaysLists: boolean;
}

/** The operations with a date, in the order of their execution (section 4.13). */
const dated: readonly DatedOperation[] = [
  { key: 'exclude', kind: 'excluded', isAdded: true, alwaysLists: false },
  { key: 'remove_exclude', kind: 'excluded', isAdded: false, alwaysLists: false },
  { key: 'skip', kind: 'skipped', isAdded: true, alwaysLists: false },
  { key: 'remove_skip', kind: 'skipped', isAdded: false, alwaysLists: true },
];
