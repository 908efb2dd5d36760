import type { DeviceTraits } from '../checks/checks';
import { eventSeconds, toneSeconds } from '../choices';
import type { Clock } from '../clock/clock';
import { play } from '../state/playing';
import type { StateKeeper } from '../state/state';
import { type Applied, applySchedule } from './apply';
import {
  allEvents,
  type Database,
  emptyDatabase,
  type PlacedEvent,
  type StoredEvent,
  showDatabase,
  showInstance,
  withoutEvents,
} from './database';
import { type Day, dateOf, dayAt, msAt } from './days';
import type { ScheduleBody } from './fields';
import { horizonDays, Timetable, type Upcoming } from './timetable';

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
  #database = emptyDatabase();
  #timetable = new Timetable(this.#database);
  readonly #options: SchedulerOptions;

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  /** The immutable database. To change the schedule, set a new database and call `scheduleNext`. */
  get database(): Database {
    return this.#database;
  }

  set database(database: Database) {
    this.#database = database;
    this.#timetable = new Timetable(database);
  }

  show(): Record<string, unknown> {
    return showDatabase(this.database);
  }

  get today(): Day {
    return dayAt(this.#options.clock.now());
  }

  range(from: Day, count: number): Record<string, unknown> {
    const days = Array.from({ length: count }, (_, index) => {
      const date = dateOf(from + index);
      return [date, this.#timetable.on(from + index).map((place) => showInstance(place, date))];
    });
    return { format: 'v2.0', events: Object.fromEntries(days) };
  }

  /** Carries out a POST. If an entry is invalid, changes nothing. */
  apply(body: ScheduleBody): Applied {
    const { device, clock } = this.#options;
    const applied = applySchedule(this.#database, body, { device, now: clock.now() });
    if ('mistakes' in applied) return applied;
    this.database = applied.database;
    this.scheduleNext();
    return applied;
  }

  get next(): Upcoming | undefined {
    return this.#timetable.next(this.#options.clock.now());
  }

  /** Starts the scheduler, or continues with the planned event if the scheduler runs already. */
  start(): void {
    if (!this.#options.keeper.deadlines[planName]) this.scheduleNext();
  }

  /**
   * Sets the timer for the next event. Must be called after each change of the schedule or the clock.
   * @param after time of the event that was just carried out, in epoch milliseconds of the device's clock. The
   * next event is then the first event after this time, even if it is late too. The same holds for a planned
   * event whose timer is late. If the time is too long ago (`maxLateMs`), for example because the process
   * slept, the next event is the first event after now.
   */
  scheduleNext(after = this.#late): void {
    const { clock, keeper } = this.#options;
    const now = clock.now();
    const from = after !== undefined && (now - after) / (clock.speed ?? 1) < maxLateMs ? after : now;
    keeper.cancel(planName);
    if (allEvents(this.#database).length === 0) return;
    const at = this.#timetable.next(from)?.at ?? msAt(dayAt(now) + horizonDays, '00:00') - 1;
    keeper.plan(planName, (at - now) / 1000, () => this.#run(at));
  }

  /** The moment before a planned event whose timer is late, in epoch milliseconds; undefined if none is. */
  get #late(): number | undefined {
    const { clock, keeper } = this.#options;
    const planned = keeper.deadlines[planName];
    return planned && planned.until <= clock.now() ? Math.round(planned.until) - 1 : undefined;
  }

  #run(at: number): void {
    const due = this.#timetable.at(at);
    for (const place of due) this.#options.trigger(place);
    const removed = due.map(({ event }) => event).filter(({ fields }) => fields.auto_remove);
    if (removed.length > 0) {
      this.database = withoutEvents(this.#database, ({ event }) => removed.includes(event));
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
    const call = { extension: String(extension), tone: audio };
    keeper.setFor('call', call, toneSeconds, 'call ended by itself');
  }
  if (event_type === 'stream_audio') {
    keeper.setFor('streaming', name, eventSeconds, `${name} ended`);
  }
}
