import type { DeviceError } from '../../client/errors';
import type { Device } from '../device/device';
import { afterAnswer, afterMiss, atFirst, type Contact, type ContactChange } from './contact';
import { adaptedIntervalMs } from './pace';
import type { Reader } from './reader';
import type { Reading, Source } from './reading';
import { type Readings, readingsOf } from './readings';
import type { Watcher } from './watcher';

/** Properties of a message for the first output; topic and device are added to it. */
export type Content = Readonly<Record<string, unknown>>;

/** Between the answers that show that a device is really back, in milliseconds. */
const returningMs = 10_000;

/** What a reading means to one node. */
export interface Report {
  /** For the first output, in order. */
  readonly messages: readonly Content[];
  /** Something is not as it was. */
  readonly changed: boolean;
  readonly status: Words;
  /** Read again in so many milliseconds, to settle what may be a bounce. */
  readonly againMs?: number;
}

/** What a node's status says: a word of ours by its key in the locale, or the device's own. */
export type Words = { readonly key: string } | { readonly text: string };

/** What one kind of node makes of readings. It remembers the last one. */
export interface Reporter {
  /** @param isAsked a message wants the record, so that this need not report it as well */
  report(reading: Reading, isAsked: boolean): Report;
  /** The record of the last reading, for a message that asked for it. */
  answer(): Content;
  /** Takes over what another reporter knows of the same device. One of another kind, or input, knows nothing of use. */
  goOnWith(before: Reporter): void;
}

/** The payload on the second output. */
export interface ContactPayload {
  readonly contact: 'lost' | 'restored';
  readonly device: string;
  /** When the device last answered, before the absence; null when it never has. */
  readonly lastSeen: string | null;
  readonly reason?: string;
  /** Readings missed, up to now. */
  readonly missed: number;
}

export type WatchState =
  | { readonly state: 'watching'; readonly words: Words }
  | { readonly state: 'missing'; readonly missed: number; readonly misses: number }
  | { readonly state: 'lost' | 'lacking'; readonly error: DeviceError }
  | { readonly state: 'paused' };

export interface WatchOptions {
  readonly source: Source;
  readonly intervalMs: number;
  readonly adaptive: boolean;
  /** How many misses in a row lose contact. */
  readonly misses: number;
}

/** Where a watch leads to. */
export interface Sink {
  changes(messages: readonly Content[]): void;
  contact(payload: ContactPayload): void;
  /** The device has nothing to read; said once. */
  lack(error: DeviceError): void;
  show(state: WatchState): void;
}

/** One node's watch over one device, from its start to its stop. */
export class Watch implements Watcher {
  readonly #readings: Readings;
  readonly #reader: Reader;
  #wishedMs: number;
  #paused = false;
  #contact: Contact = atFirst;
  /** When it last answered, before the absence if there is one, epoch milliseconds. */
  #lastSeen: number | undefined;
  #changedAt: number | undefined;
  #lackSaid: string | undefined;

  constructor(
    private readonly device: Device,
    private readonly reporter: Reporter,
    private readonly options: WatchOptions,
    private readonly sink: Sink,
  ) {
    this.#wishedMs = options.intervalMs;
    this.#readings = readingsOf(device);
    this.#reader = this.#readings.join(options.source, this);
  }

  get deviceName(): string {
    return this.device.name;
  }

  get misses(): number {
    return this.options.misses;
  }

  get intervalMs(): number {
    if (this.#paused) return Number.POSITIVE_INFINITY;
    // Whether a device is really back should be known soon.
    if (this.#contact.lost && this.#contact.answered > 0) return Math.min(this.#wishedMs, returningMs);
    if (!this.options.adaptive || this.#changedAt === undefined) return this.#wishedMs;
    return adaptedIntervalMs(this.#wishedMs, this.#readings.monotonic() - this.#changedAt);
  }

  get contact(): Contact {
    return this.#contact;
  }

  /** Goes on with what another watch knew of the same device, so that the end of an absence is told too. */
  inherit(contact: Contact): void {
    this.#contact = contact;
  }

  /** Another interval, until the node is deployed again. */
  setInterval(ms: number): void {
    this.#wishedMs = ms;
    this.#reader.replan();
  }

  /** Readings for others go on, but not for this one. */
  pause(): void {
    this.#paused = true;
    this.#reader.replan();
    this.sink.show({ state: 'paused' });
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#reader.readNow();
  }

  /** A reading of it, or the question who the device is before it, is on the wire. */
  get onWire(): boolean {
    return this.#reader.onWire;
  }

  /**
   * Reads now, paused or not. What has changed is reported before this resolves.
   * @returns the record, for the first output
   * @throws DeviceError
   */
  async read(): Promise<Content> {
    if (this.#readings.isClosed) this.onClosed();
    await this.#reader.read(this);
    return this.reporter.answer();
  }

  /** Leaves no timer and no request. */
  stop(): void {
    this.#readings.leave(this.options.source, this);
  }

  onReading(reading: Reading, isAsked: boolean): void {
    if (!isAsked && this.#paused) return;
    this.#lackSaid = undefined;
    this.#turn(afterAnswer(this.#contact, this.misses));
    if (!this.#contact.lost) this.#lastSeen = reading.at;
    const report = this.reporter.report(reading, isAsked);
    if (report.changed || this.#changedAt === undefined) this.#changedAt = reading.monotonic;
    if (report.againMs !== undefined) this.#reader.readSoon(report.againMs);
    if (report.messages.length > 0) this.sink.changes(report.messages);
    if (this.#paused) this.sink.show({ state: 'paused' });
    else if (!this.#contact.lost) this.sink.show({ state: 'watching', words: report.status });
  }

  onMiss(error: DeviceError): void {
    if (this.#paused) return;
    this.#turn(afterMiss(this.#contact, this.misses), error);
    if (this.#contact.lost) this.sink.show({ state: 'lost', error });
    else this.sink.show({ state: 'missing', missed: this.#contact.missed, misses: this.misses });
  }

  onLack(error: DeviceError, isAsked: boolean): void {
    if (this.#paused) return;
    // Whoever says that it has no such thing is there.
    this.#turn(afterAnswer(this.#contact, 1));
    if (!isAsked && this.#lackSaid !== error.message) this.sink.lack(error);
    this.#lackSaid = error.message;
    this.sink.show({ state: 'lacking', error });
  }

  onClosed(): void {
    this.sink.show({ state: 'lost', error: this.#reader.closedError });
  }

  #turn({ contact, change }: { contact: Contact; change?: ContactChange }, error?: DeviceError): void {
    this.#contact = contact;
    if (!change) return;
    const { name } = this.device;
    const isLost = change.contact === 'lost';
    // Where this node was deployed since, the device remembers.
    if (isLost) this.#lastSeen ??= this.#seenByDevice();
    const line = isLost
      ? `lost contact after ${change.missed} readings: ${error?.message}${error ? hintAt(error) : ''}`
      : 'contact restored';
    this.#reader.sayContact(isLost, `${this.options.source.operationName} at "${name}": ${line}`);
    const reason = error && { reason: `${error.message}${hintAt(error)}` };
    const lastSeen = this.#lastSeen === undefined ? null : new Date(this.#lastSeen).toISOString();
    this.sink.contact({ ...change, device: name, lastSeen, ...reason });
  }

  #seenByDevice(): number | undefined {
    const { lastSeen } = this.device.record;
    return lastSeen === null ? undefined : Date.parse(lastSeen);
  }
}

/** What worked before is not there any more. A device does so while it starts, and with its API switched off. */
function hintAt({ statusCode }: DeviceError): string {
  return statusCode === 404 ? '; if everything answers 404, its RESTful API is switched off' : '';
}
