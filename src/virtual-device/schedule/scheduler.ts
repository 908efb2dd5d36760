import type { Traits } from '../checks';
import type { Clock } from '../clock';
import type { StateKeeper } from '../state';
import { applySchedule } from './apply';
import {
  type Database,
  emptyDatabase,
  type Place,
  placesOn,
  showDatabase,
  showInstance,
  withoutEvents,
} from './database';
import type { ScheduleBody } from './fields';
import { type Day, dateOf, dayAt, msAt } from './recurrence';

/** Days ahead in which the next event is looked for; then it is looked for again. */
const HORIZON_DAYS = 8;

/** Words for event types; of the call the document has them (section 2.3), the others are ours. */
const ACTIONS: Readonly<Record<string, string>> = {
  play_tone: 'Play Tone',
  stream_audio: 'Stream Audio',
  sip_call: 'SIP Call with Tone',
  api_call: 'API Call',
};

interface Upcoming {
  readonly place: Place;
  readonly at: number;
}

export interface SchedulerOptions {
  readonly device: Traits;
  readonly clock: Clock;
  readonly keeper: StateKeeper;
  /** Does what an event says. */
  readonly trigger: (place: Place) => void;
  /** Called after events have removed themselves. */
  readonly removed: () => void;
}

/** The on-device scheduler (section 4.13). Its time zone is UTC. */
export class Scheduler {
  /** Whoever changes it puts another one in its place. */
  database: Database = emptyDatabase();
  readonly #options: SchedulerOptions;

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  /** `GET /api/schedules`. */
  show(): Record<string, unknown> {
    return showDatabase(this.database);
  }

  get today(): Day {
    return dayAt(this.#options.clock.now());
  }

  /** The instances of `count` days from one on. */
  range(from: Day, count: number): Record<string, unknown> {
    const days = Array.from({ length: count }, (_, index) => from + index);
    const byDate = days.map((day) => [
      dateOf(day),
      placesOn(this.database, day).map((place) => showInstance(place, day)),
    ]);
    return { format: 'v2.0', events: Object.fromEntries(byDate) };
  }

  /** Carries out all of a POST or nothing, and gives its echo. Throws a ScheduleError. */
  apply(body: ScheduleBody): Record<string, unknown> {
    const { device, clock } = this.#options;
    const { database, echo } = applySchedule(this.database, body, { device, now: clock.now() });
    this.database = database;
    this.wind();
    return echo;
  }

  /** What comes next, as the status record has it. */
  get nextText(): string {
    const next = this.#upcoming(this.#options.clock.now());
    if (!next) return 'No Events Scheduled';
    const { name, start_time, audio } = next.place.event.fields;
    return [name, dateOf(dayAt(next.at)), start_time, audio].filter(Boolean).join(', ');
  }

  /** The same with what it does, and its tone only where it is a call. */
  get nextActionText(): string {
    const next = this.#upcoming(this.#options.clock.now());
    if (!next) return 'No Actions Scheduled';
    const { name, event_type, start_time, audio } = next.place.event.fields;
    const tone = event_type === 'sip_call' ? audio : undefined;
    const action = event_type && ACTIONS[event_type];
    return [name, action, dateOf(dayAt(next.at)), start_time, tone].filter(Boolean).join(', ');
  }

  /** What comes next within the horizon, and when: milliseconds since the epoch. */
  get next(): { readonly name: string; readonly at: number } | undefined {
    const next = this.#upcoming(this.#options.clock.now());
    return next && { name: next.place.event.fields.name ?? '', at: next.at };
  }

  /** Sets the timer for the next event; to be called when the device comes up and when anything changes. */
  wind(): void {
    const { clock, keeper } = this.#options;
    const now = clock.now();
    keeper.cancel('next event');
    if (this.database.events.length === 0 && this.database.groups.length === 0) return;
    const at = this.#upcoming(now)?.at ?? msAt(dayAt(now) + HORIZON_DAYS, '00:00') - 1;
    keeper.plan('next event', (at - now) / 1000, () => this.#run(at));
  }

  #upcoming(after: number): Upcoming | undefined {
    const today = dayAt(after);
    for (let day = today; day < today + HORIZON_DAYS; day += 1) {
      const place = this.#due(day).find(({ at }) => at > after);
      if (place) return place;
    }
    return undefined;
  }

  #due(day: Day): Upcoming[] {
    return placesOn(this.database, day)
      .filter(({ event }) => !event.skipped.has(dateOf(day)))
      .map((place) => ({ place, at: msAt(day, place.event.fields.start_time ?? '00:00') }));
  }

  #run(at: number): void {
    const due = this.#due(dayAt(at)).filter((upcoming) => upcoming.at === at);
    for (const { place } of due) this.#options.trigger(place);
    const gone = new Set(due.map(({ place: { event } }) => event).filter(({ fields }) => fields.auto_remove));
    if (gone.size > 0) {
      this.database = withoutEvents(this.database, gone);
      this.#options.removed();
    }
    this.wind();
  }
}
