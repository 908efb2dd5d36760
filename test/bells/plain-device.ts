import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { end, listen } from '../fixtures/listening';
import { dateAt, daysOf, type Kept, numberOf } from './paper-model';

type Fields = Record<string, unknown>;
type Body = Record<string, Fields[]>;

/** What becomes of one change: whether it is done, and what is answered. */
export const faults = {
  'reset before': { isDone: false, status: 0 },
  'reset after': { isDone: true, status: 0 },
  'half an answer': { isDone: true, status: 200 },
  'no JSON': { isDone: true, status: 200 },
  'out of order': { isDone: false, status: 500 },
  'out of order, and done': { isDone: true, status: 500 },
  busy: { isDone: false, status: 503 },
  refused: { isDone: false, status: 400 },
} as const;

export type Fault = keyof typeof faults;

/** In what words a device writes what it was told; each of them, or none. */
export interface Habits {
  readonly seconds?: boolean;
  readonly rules?: boolean;
  readonly numbers?: boolean;
  readonly lists?: boolean;
  /** Days without anything are not in the calendar. */
  readonly sparse?: boolean;
}

/** A scheduler of section 4.13, written for these histories and nothing else. */
export class PlainDevice {
  events: Kept[] = [];
  /** How many changes it was asked for. */
  asked = 0;
  /** Of the next change; struck once. */
  fault: Fault | undefined;
  #made = 0;
  readonly #server: Server;

  constructor(private readonly habits: Habits) {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  async start(): Promise<string> {
    return `http://${await listen(this.#server)}`;
  }

  stop(): Promise<void> {
    return end(this.#server);
  }

  /** As it is, not to be changed by what comes. */
  get kept(): Kept[] {
    return structuredClone(this.events);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://device');
    const answer = (status: number, body: unknown, length = Buffer.byteLength(JSON.stringify(body))) =>
      response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': length });
    const answerJson = (status: number, body: unknown) => answer(status, body).end(JSON.stringify(body));
    if (pathname !== '/api/schedules') answerJson(404, {});
    else if (request.method === 'POST') {
      const struck = this.fault;
      this.fault = undefined;
      this.asked += 1;
      const { isDone, status } = struck ? faults[struck] : { isDone: true, status: 200 };
      const echo = isDone ? this.#change(JSON.parse(Buffer.concat(chunks).toString())) : {};
      if (status === 0) request.socket.destroy();
      else if (struck === 'half an answer') {
        answer(200, echo, 1_000).write('{"events":');
        setImmediate(() => request.socket.destroy());
      } else if (struck === 'no JSON') response.end('<html>');
      else answerJson(status, status === 200 ? echo : { error: struck });
    } else if (searchParams.has('events')) {
      answerJson(200, this.#range(searchParams.get('events') ?? '', Number(searchParams.get('days'))));
    } else
      answerJson(200, { format: 'v2.0', groups: [], events: this.events.map((event) => this.#write(event)) });
  }

  #range(first: string, count: number): unknown {
    const calendar: Record<string, Fields[]> = {};
    for (let day = numberOf(first); day < numberOf(first) + count; day += 1) {
      const rings = this.events.filter(
        (one) => daysOf(one).has(day) && !one.hidden.has(day) && one.enabled !== 0,
      );
      if (rings.length === 0 && this.habits.sparse) continue;
      calendar[dateAt(day)] = rings.map((event) => {
        const { evid, color, name, start_time } = this.#write(event);
        return { evid, color, name, start_time, skipped: event.skipped.has(day) ? 1 : 0 };
      });
    }
    return { format: 'v2.0', events: calendar };
  }

  #write({ hidden, skipped, ...event }: Kept): Fields {
    const { seconds, rules, numbers, lists } = this.habits;
    const written: Fields = { ...event };
    if (skipped.size > 0) written.greyed_out_date = [...skipped].map(dateAt).join(',');
    if (seconds && event.start_time.length === 5) written.start_time = `${event.start_time}:00`;
    if (rules && event.rrule !== '') {
      const ended = event.rrule.replace(/UNTIL=(\d{8})$/, 'UNTIL=$1T235959Z');
      written.rrule = ended.split(';').reverse().concat('INTERVAL=1').join(';');
    }
    if (numbers) {
      written.enabled = event.enabled ?? 1;
      written.auto_remove = event.auto_remove ?? 0;
      if (event.zone !== undefined) written.zone = String(event.zone);
    }
    if (lists) {
      written.exdate = (event.exdate ?? '').split(',').reverse().join(', ');
      written.rdate = event.rdate ?? null;
    }
    return written;
  }

  /** In the order of section 4.13. */
  #change(body: Body): unknown {
    const mark = (key: string, name: string, set: (event: Kept) => Set<number>, isOn: boolean) => {
      for (const { evid, tag, [name]: date } of body[key] ?? []) {
        const day = numberOf(String(date));
        for (const event of this.events) {
          if (tag === undefined ? evid !== -1 && evid !== event.evid : tag !== event.tag) continue;
          if (isOn) set(event).add(day);
          else set(event).delete(day);
        }
      }
    };
    mark('exclude', 'exdate', ({ hidden }) => hidden, true);
    mark('remove_exclude', 'date', ({ hidden }) => hidden, false);
    mark('skip', 'date', ({ skipped }) => skipped, true);
    mark('remove_skip', 'date', ({ skipped }) => skipped, false);
    const gone = new Set(body.delete?.map(({ evid }) => evid));
    this.events = this.events.filter(({ evid }) => !gone.has(evid));
    for (const given of body.events ?? []) {
      const event = this.events.find(({ evid }) => evid === given.evid);
      if (event) Object.assign(event, given);
      else this.create(given);
    }
    return body;
  }

  create(given: Fields): void {
    this.#made += 1;
    const made = { color: '#abcdef', ...given, evid: this.#made };
    this.events.push({ ...(made as unknown as Kept), hidden: new Set(), skipped: new Set() });
  }
}
