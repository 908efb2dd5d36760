import type { DeviceError } from '../../client/errors';
import type { Device } from '../device/device';
import {
  afterAnswer,
  afterMiss,
  atFirst,
  type ConnectionState,
  type ConnectionTurn,
} from './connection-state';
import { adaptedIntervalMs } from './pace';
import type { Reader, Watcher } from './reader';
import type { Reading, Source } from './reading';
import { type Readings, readingsOf } from './readings';

export type Content = Readonly<Record<string, unknown>>;

/** Maximum interval between readings of an offline device that answers again, in milliseconds. */
const returningMs = 10_000;

export interface WatchReport {
  readonly messages: readonly Content[];
  readonly changed: boolean;
  readonly status: StatusWording;
  /**
   * Time after which the device is read again, in milliseconds, since a change might be a bounce. Absent if
   * no change waits for its debounce time.
   */
  readonly againMs?: number;
}

export type StatusWording = { readonly key: string } | { readonly text: string };

export interface Reporter {
  report(reading: Reading, isAsked: boolean): WatchReport;
  answer(): Content;
  /**
   * Continues with the last state of an earlier reporter for the same device. Ignores a reporter of another
   * node type or of another input.
   */
  goOnWith(before: Reporter): void;
}

export interface ConnectionPayload {
  readonly connection: 'lost' | 'restored';
  readonly device: string;
  /** Time of the last answer before the device went offline, in ISO 8601; null if there was no answer. */
  readonly lastSeen: string | null;
  readonly reason?: string;
  readonly missed: number;
}

export type WatchState =
  | { readonly state: 'watching'; readonly words: StatusWording }
  | { readonly state: 'missing'; readonly missed: number; readonly misses: number }
  | { readonly state: 'offline' | 'unsupported'; readonly error: DeviceError }
  | { readonly state: 'paused' };

export interface WatchOptions {
  readonly source: Source;
  readonly intervalMs: number;
  readonly adaptive: boolean;
  readonly misses: number;
}

export interface Sink {
  changes(device: string, messages: readonly Content[]): void;
  connection(payload: ConnectionPayload): void;
  /**
   * Called when a poll shows that the device does not support the operation, but not again for the same
   * error.
   */
  unsupported(device: string, error: DeviceError): void;
  show(state: WatchState): void;
  /** Called when `answers` has changed. */
  turned(): void;
}

/** The work of a watching node at one device. */
export class Watch implements Watcher {
  readonly #readings: Readings;
  readonly #reader: Reader;
  #intervalMs: number;
  #isPaused: boolean;
  #connection: ConnectionState;
  #answers: boolean | undefined;
  /**
   * Time of the last answer of the online device, in epoch milliseconds. Not updated while the device is
   * offline.
   */
  #lastSeen: number | undefined;
  #changedAt: number | undefined;
  #reportedUnsupported: string | undefined;

  constructor(
    readonly device: Device,
    readonly reporter: Reporter,
    private readonly options: WatchOptions,
    private readonly sink: Sink,
    connection: ConnectionState = atFirst,
    isPaused = false,
  ) {
    this.#intervalMs = options.intervalMs;
    this.#isPaused = isPaused;
    this.#connection = connection;
    if (connection.isOffline) this.#answers = false;
    this.#readings = readingsOf(device);
    this.#reader = this.#readings.join(options.source, this);
  }

  get misses(): number {
    return this.options.misses;
  }

  get intervalMs(): number {
    if (this.#isPaused) return Number.POSITIVE_INFINITY;
    // Uses a shorter interval, since further answers must confirm that the device is online again.
    if (this.#connection.isOffline && this.#connection.answered > 0)
      return Math.min(this.#intervalMs, returningMs);
    if (!this.options.adaptive || this.#changedAt === undefined) return this.#intervalMs;
    return adaptedIntervalMs(this.#intervalMs, this.#readings.monotonic() - this.#changedAt);
  }

  get connection(): ConnectionState {
    return this.#connection;
  }

  /** Whether the device is online; undefined before the first reading. */
  get answers(): boolean | undefined {
    return this.#answers;
  }

  setInterval(ms: number): void {
    this.#intervalMs = ms;
    this.#reader.replan();
  }

  pause(): void {
    this.#isPaused = true;
    this.#reader.replan();
    this.#show({ state: 'paused' });
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#reader.readNow();
  }

  /**
   * Reads immediately, even during a pause. Changes are reported before the promise resolves.
   * @returns the properties of the message for the first output
   * @throws DeviceError if the reading fails
   */
  async read(): Promise<Content> {
    if (this.#readings.isClosed) this.onClosed();
    await this.#reader.read(this);
    return this.reporter.answer();
  }

  stop(): void {
    this.#readings.leave(this.options.source, this);
  }

  onReading(reading: Reading, isAsked: boolean): void {
    if (!isAsked && this.#isPaused) return;
    this.#reportedUnsupported = undefined;
    this.#turn(afterAnswer(this.#connection, this.misses));
    if (!this.#connection.isOffline) this.#lastSeen = reading.at;
    const report = this.reporter.report(reading, isAsked);
    if (report.changed || this.#changedAt === undefined) this.#changedAt = reading.monotonic;
    if (report.againMs !== undefined) this.#reader.readSoon(report.againMs);
    if (report.messages.length > 0) this.sink.changes(this.device.name, report.messages);
    if (this.#isPaused) this.#show({ state: 'paused' });
    else if (!this.#connection.isOffline) this.#show({ state: 'watching', words: report.status });
  }

  onMiss(error: DeviceError): void {
    if (this.#isPaused) return;
    this.#turn(afterMiss(this.#connection, this.misses), error);
    if (this.#connection.isOffline) this.#show({ state: 'offline', error });
    else this.#show({ state: 'missing', missed: this.#connection.missed, misses: this.misses });
  }

  onUnsupported(error: DeviceError, isAsked: boolean): void {
    if (this.#isPaused) return;
    this.#turn(afterAnswer(this.#connection, 1));
    if (!isAsked && this.#reportedUnsupported !== error.message)
      this.sink.unsupported(this.device.name, error);
    this.#reportedUnsupported = error.message;
    this.#show({ state: 'unsupported', error });
  }

  onClosed(): void {
    this.#show({ state: 'offline', error: this.#reader.closedError });
  }

  #show(state: WatchState): void {
    if (state.state === 'watching' || state.state === 'unsupported') this.#setAnswers(true);
    if (state.state === 'offline') this.#setAnswers(false);
    this.sink.show(state);
  }

  #setAnswers(answers: boolean): void {
    if (this.#answers === answers) return;
    this.#answers = answers;
    this.sink.turned();
  }

  #turn({ connection, change }: ConnectionTurn, error?: DeviceError): void {
    this.#connection = connection;
    if (!change) return;
    this.#setAnswers(change.connection === 'restored');
    const { name } = this.device;
    const isOffline = change.connection === 'lost';
    // After a deploy of this node, only the record of the device still has the time of the last answer.
    if (isOffline) this.#lastSeen ??= this.#seenByDevice();
    const line = isOffline
      ? `offline after ${change.missed} failed polls: ${error?.message}${error ? hintAt(error) : ''}`
      : 'online again';
    this.#reader.logConnection(isOffline, `${this.options.source.operationName} at "${name}": ${line}`);
    const reason = error && { reason: error.reason };
    const lastSeen = this.#lastSeen === undefined ? null : new Date(this.#lastSeen).toISOString();
    this.sink.connection({ ...change, device: name, lastSeen, ...reason });
  }

  #seenByDevice(): number | undefined {
    const { lastSeen } = this.device.record;
    return lastSeen === null ? undefined : Date.parse(lastSeen);
  }
}

/**
 * Returns a hint for status 404; empty for other errors. A device answers 404 while it starts, or while its
 * API is disabled.
 */
function hintAt({ statusCode }: DeviceError): string {
  return statusCode === 404
    ? '; if every request returns 404, the RESTful API of the device is disabled'
    : '';
}
