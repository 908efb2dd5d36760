import type { DeviceTraits } from '../checks/checks';
import { eventSeconds, maxInstances, toneSeconds } from '../choices';
import type { Clock } from '../clock/clock';
import { play } from '../state/playing';
import type { StateKeeper } from '../state/state';
import { AnswerLimit, applySchedule, ScheduleError } from './apply';
import {
  type Database,
  emptyDatabase,
  instanceSize,
  type PlacedEvent,
  type StoredEvent,
  showDatabase,
  showInstance,
} from './database';
import { type Day, dateOf, dayAt, msAt } from './days';
import { Draft } from './draft';
import type { ScheduleBody } from './fields';
import { horizonDays, Timetable } from './timetable';

/** The names of event types. Only `SIP Call with Tone` is from the interface document (section 2.3). */
const actions: Readonly<Record<string, string>> = {
  play_tone: 'Play Tone',
  stream_audio: 'Stream Audio',
  sip_call: 'SIP Call with Tone',
  api_call: 'API Call',
};

/** Name of the timer for the next event. */
const planName = 'next event';

/**
 * Maximum lateness of an event, in milliseconds of real time. After an event that is later than this, the
 * events that have become due in the meantime are not carried out.
 */
const maxLateMs = 10_000;

/** `speed`: factor of real time; default: 1. */
type SchedulerClock = Clock & { readonly speed?: number };

export interface SchedulerOptions {
  readonly device: DeviceTraits;
  readonly clock: SchedulerClock;
  readonly keeper: StateKeeper;
  readonly trigger: (place: PlacedEvent) => void;
  /** Called after due events with `auto_remove` were removed from the database. */
  readonly removed: () => void;
}

/** The scheduler of the device (section 4.13). The time zone of the scheduler is UTC. */
export class Scheduler {
  #timetable = new Timetable(emptyDatabase());
  readonly #options: SchedulerOptions;

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  /** The immutable database. To change the schedule, set a new database and call `scheduleNext`. */
  get database(): Database {
    return this.#timetable.database;
  }

  set database(database: Database) {
    this.#timetable = new Timetable(database);
  }

  show(): Record<string, unknown> {
    return showDatabase(this.database);
  }

  get today(): Day {
    return dayAt(this.#options.clock.now());
  }

  /** @throws ScheduleError if the work or the answer would be too large */
  range(from: Day, count: number): Record<string, unknown> {
    if (count > 1 && count * this.#timetable.eventCount > maxInstances)
      throw new ScheduleError(`the answer would be about more than ${maxInstances} instances of events`);
    const limit = new AnswerLimit();
    const days = Array.from({ length: count }, (_, index) => {
      const places = this.#timetable.on(from + index);
      for (const place of places) limit.add(instanceSize(place));
      return { date: dateOf(from + index), places };
    });
    const byDate = days.map(({ date, places }) => [date, places.map((place) => showInstance(place, date))]);
    return { format: 'v2.0', events: Object.fromEntries(byDate) };
  }

  /** @throws ScheduleError that names each invalid entry */
  apply(body: ScheduleBody): Record<string, unknown> {
    const { device, clock } = this.#options;
    this.#catchUp();
    const { database, echo } = applySchedule(this.database, body, { device, now: clock.now() });
    this.database = database;
    this.scheduleNext();
    return echo;
  }

  get nextText(): string {
    const next = this.#timetable.next(this.#options.clock.now());
    if (!next) return 'No Events Scheduled';
    const { name, start_time, audio } = next.place.event.fields;
    return [name, dateOf(dayAt(next.at)), start_time, audio].filter(Boolean).join(', ');
  }

  /**
   * The next event with its action, in the form of the status record. A tone is named only for a SIP call.
   */
  get nextActionText(): string {
    const next = this.#timetable.next(this.#options.clock.now());
    if (!next) return 'No Actions Scheduled';
    const { name, event_type, start_time, audio } = next.place.event.fields;
    const tone = event_type === 'sip_call' ? audio : undefined;
    const action = event_type && actions[event_type];
    return [name, action, dateOf(dayAt(next.at)), start_time, tone].filter(Boolean).join(', ');
  }

  get next(): { readonly name: string; readonly at: number } | undefined {
    const next = this.#timetable.next(this.#options.clock.now());
    return next && { name: next.place.event.fields.name ?? '', at: next.at };
  }

  /** Starts the scheduler, or continues with the planned event if the scheduler runs already. */
  start(): void {
    if (this.#plannedAt === undefined) this.scheduleNext();
    else this.#catchUp();
  }

  /** Carries out each planned event whose time has come and whose timer is late. */
  #catchUp(): void {
    const { clock, keeper } = this.#options;
    for (let at = this.#plannedAt; at !== undefined && at <= clock.now(); at = this.#plannedAt) {
      keeper.cancel(planName);
      this.#run(at);
    }
  }

  /** End of the timer for the next event, as epoch milliseconds of the device's clock; undefined if none. */
  get #plannedAt(): number | undefined {
    const planned = this.#options.keeper.deadlines[planName];
    return planned && Math.round(planned.until);
  }

  /**
   * Sets the timer for the next event. Must be called after each change of the schedule or the clock.
   * @param after time of the event that was just carried out, in epoch milliseconds of the device's clock.
   * The next event is then the first event after this time, even if it is late too. If this time is too long
   * ago (`maxLateMs`), for example because the process slept, the next event is the first event after now.
   */
  scheduleNext(after?: number): void {
    const { clock, keeper } = this.#options;
    const now = clock.now();
    const from = after !== undefined && (now - after) / (clock.speed ?? 1) < maxLateMs ? after : now;
    keeper.cancel(planName);
    if (this.database.events.length === 0 && this.database.groups.length === 0) return;
    const at = this.#timetable.next(from)?.at ?? msAt(dayAt(now) + horizonDays, '00:00') - 1;
    keeper.plan(planName, (at - now) / 1000, () => this.#run(at));
  }

  #run(at: number): void {
    const due = this.#timetable.at(at);
    for (const place of due) this.#options.trigger(place);
    const removed = due.filter(({ event }) => event.fields.auto_remove);
    if (removed.length > 0) {
      const draft = new Draft(this.database);
      for (const place of removed) draft.remove(place);
      this.database = draft.finish();
      this.#options.removed();
    }
    this.scheduleNext(at);
  }
}

interface EventStage {
  readonly keeper: StateKeeper;
  readonly clock: Clock;
  audioOf(name: string): Buffer | undefined;
}

/** Carries out an event, as far as the event changes the state of the device. */
export function carryOut({ evid, fields }: StoredEvent, stage: EventStage): void {
  const { keeper, clock } = stage;
  const { event_type, name = '', audio = '', extension } = fields;
  keeper.set('lastEvent', { evid, name, at: new Date(clock.now()).toISOString() });
  if (event_type === 'play_tone') play(keeper, { path: audio, loop: false }, stage.audioOf(audio));
  if (event_type === 'sip_call') {
    keeper.set('call', { extension: String(extension), tone: audio });
    keeper.plan('end of call', toneSeconds, () => keeper.set('call', null), 'call ended by itself');
  }
  if (event_type === 'stream_audio') {
    keeper.set('streaming', name);
    keeper.plan('end of streaming', eventSeconds, () => keeper.set('streaming', null), `${name} ended`);
  }
}
