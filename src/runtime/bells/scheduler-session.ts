import { type Day, dateOf } from '../../bells/calendar';
import { type Database, readDatabase } from '../../bells/database';
import { DeviceCalendar } from '../../bells/device-calendar';
import { type DeviceClock, readDeviceClock } from '../../bells/device-clock';
import type { Calendar } from '../../bells/preview';
import { joinMessages, LocalizedMessage, localized } from '../../catalogue/localized-message';
import { operation } from '../../catalogue/operation-name';
import type { Answer, CallOptions, Turn } from '../../client/client';
import { DeviceError } from '../../client/errors';
import type { DeliveryContext } from '../message/hooks';

const maxDays = 366;

/** Maximum number of events in one response. Parsing more events would block the event loop. */
const maxInstances = 20_000;

const asideMs = 5_000;

export function daysAtOnce(perDay: number): number {
  return Math.max(1, Math.min(maxDays, Math.floor(maxInstances / Math.max(1, perDay))));
}

export class SchedulerSession {
  hasChanged = false;
  #last: Answer | undefined;
  #lostWireMs: number | undefined;
  #clock: Promise<DeviceClock> | undefined;

  constructor(
    readonly delivery: DeliveryContext,
    private readonly turn: Turn,
    private readonly options: CallOptions,
  ) {}

  answer(body: unknown): Answer {
    const lost = this.#lostWireMs === undefined ? {} : { wireMs: this.#lostWireMs };
    return { statusCode: 200, attempts: 0, ...this.#last, ...lost, body };
  }

  /** @throws DeviceError if the request fails, or if the response is not a schedule */
  async database(): Promise<Database> {
    const { body } = await this.#read('scheduler/get', {});
    const database = readDatabase(body);
    if (database instanceof LocalizedMessage) throw this.#unreadable(database);
    return database;
  }

  /**
   * Reads the calendar that the device calculates.
   * @param from first day; default: today, by the device's clock
   * @param count number of days
   * @param perDay maximum number of events per day, if known
   */
  async range(from: Day | undefined, count: number, perDay = 0): Promise<Calendar> {
    const calendar = new DeviceCalendar();
    if (from === undefined && count <= maxDays) await this.#readDays(calendar, undefined, count);
    else {
      const first = from ?? (await this.clock()).now.day;
      const atOnce = daysAtOnce(perDay);
      for (let done = 0; done < count; done += atOnce) {
        await this.#readDays(calendar, first + done, Math.min(atOnce, count - done));
      }
    }
    return calendar.days;
  }

  /**
   * Reads the device's clock, only once, and adds warnings about the clock to the receipt. If the status
   * contains no readable time, uses the clock of Node-RED, corrected by the clock offset from the HTTP
   * responses if the offset is known.
   */
  clock(): Promise<DeviceClock> {
    this.#clock ??= this.#readClock();
    return this.#clock;
  }

  async #readClock(): Promise<DeviceClock> {
    const status = await this.#aside('info/status');
    const now = Date.now();
    const zoneMs = -new Date(now).getTimezoneOffset() * 60_000;
    const { clockOffsetMs } = this.delivery.device.record;
    const clock = readDeviceClock(status['Date / Time'], clockOffsetMs, { now, zoneMs });
    for (const warning of clock.warnings) this.delivery.note(warning);
    return clock;
  }

  async tones(): Promise<readonly string[] | undefined> {
    const { tonelist } = await this.#aside('info/tonelist');
    return Array.isArray(tonelist) ? tonelist.map(String) : undefined;
  }

  async apply(body: Readonly<Record<string, unknown>>): Promise<Answer> {
    this.hasChanged = true;
    try {
      this.#last = await this.turn.call(operation('scheduler/apply'), body, this.options);
      return this.#last;
    } catch (error) {
      if (error instanceof DeviceError) this.#lostWireMs = error.wireMs;
      throw error;
    }
  }

  /** @param from first day; undefined for today, by the device's clock */
  async #readDays(calendar: DeviceCalendar, from: Day | undefined, days: number): Promise<void> {
    const events = from === undefined ? '' : dateOf(from);
    const { body } = await this.#read('scheduler/range', { events, days });
    const refusal = calendar.add(body, from, days);
    if (refusal) throw this.#unreadable(refusal);
  }

  async #read(
    name: 'scheduler/get' | 'scheduler/range',
    parameters: Readonly<Record<string, unknown>>,
  ): Promise<Answer> {
    const answer = await this.turn.call(operation(name), parameters, this.options);
    this.#last ??= answer;
    return answer;
  }

  /**
   * Reads a record that is not essential. Returns an empty record if the device does not answer in time,
   * rejects the request or sends an invalid response.
   */
  async #aside(name: 'info/status' | 'info/tonelist'): Promise<Readonly<Record<string, unknown>>> {
    try {
      const options = { ...this.options, timeoutMs: asideMs };
      const { body } = await this.turn.call(operation(name), {}, options);
      return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
    } catch (error) {
      const isMissing =
        error instanceof DeviceError && ['REFUSED', 'PROTOCOL', 'TIMEOUT'].includes(error.code);
      if (this.delivery.abort.reason || !isMissing) throw error;
      return {};
    }
  }

  #unreadable(why: LocalizedMessage): DeviceError {
    const { operationName, device } = this.delivery;
    const words = joinMessages([why, localized('nothingChanged')]);
    return new DeviceError('PROTOCOL', words, { operationName, place: `"${device.name}"` });
  }
}
