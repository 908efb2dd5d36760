import { lackAt, mayLack, needsOfAny, type Unsupported } from '../../catalogue/compatibility';
import { localized } from '../../catalogue/localized-message';
import type { Operation } from '../../catalogue/operation';
import type { CallOptions } from '../../client/call';
import { DeviceError, describeFault, wordsOf } from '../../client/errors';
import { Failure } from '../../client/failure';
import { Abort } from '../../client/queue/entry';
import type { Clock } from '../../time/clock';
import { awayIntervalMs, firstDelayMs, minIntervalMs, nextDelayMs } from './pace';
import type { Reading, Source } from './reading';
import type { ReaderDevice, Watcher } from './watcher';

interface Asker {
  readonly watcher: Watcher;
  resolve(): void;
  reject(error: DeviceError): void;
}

/** Who waits for one reading: messages to nodes that watch. */
class Askers {
  #all: Asker[] = [];

  add(watcher: Watcher): Promise<void> {
    return new Promise((resolve, reject) => this.#all.push({ watcher, resolve, reject }));
  }

  /** Those who have asked, each once. */
  get watchers(): ReadonlySet<Watcher> {
    return new Set(this.#all.map(({ watcher }) => watcher));
  }

  /** Tells everybody that the reading was told to their watchers. */
  answer(): void {
    for (const { resolve } of this.#all) resolve();
  }

  refuse(error: DeviceError): void {
    for (const { reject } of this.#all) reject(error);
  }

  /** A watcher stops watching. */
  refuseOf(watcher: Watcher, error: DeviceError): void {
    for (const asker of this.#all) if (asker.watcher === watcher) asker.reject(error);
    this.#all = this.#all.filter((asker) => asker.watcher !== watcher);
  }
}

/** A device that has nothing to read is asked again this often: one that boots answers the same. */
const lackMs = 180_000;

/** How long an action may take to show. */
const settleMs = 200;

type Outcome =
  | { readonly kind: 'reading'; readonly reading: Reading }
  | { readonly kind: 'miss' | 'lack'; readonly error: DeviceError };

/**
 * Reads one operation of one device for all who watch it: never twice at a time. The reader has the timer, the backoff
 * and the question whether the device has such a thing; contact, pause and messages that ask belong to each watch.
 */
export class Reader {
  #watchers: readonly Watcher[] = [];
  #cancelTimer: (() => void) | undefined;
  /** When the timer is due, on the monotonic clock. */
  #dueAt = Number.POSITIVE_INFINITY;
  #busy = false;
  /** Ends the reading that is under way. */
  #abort: Abort | undefined;
  /** When the last reading began, on the monotonic clock. */
  #startedAt: number | undefined;
  /** When somebody wants a reading earlier than the interval says. */
  #wantedAt = Number.POSITIVE_INFINITY;
  /** Who wants the next reading. */
  #askers: Askers | undefined;
  #missed = 0;
  #last: Outcome['kind'] | undefined;
  #worked = false;
  #lack: DeviceError | undefined;
  /** It had nothing to read, for a reason that an upgrade or the end of its boot may take away. */
  #mayChange = false;
  #isClosed = false;
  #isLostSaid = false;
  readonly #options: CallOptions;

  constructor(
    private readonly device: ReaderDevice,
    private readonly source: Source,
    private readonly timing: Clock,
  ) {
    this.#options = { operationName: source.operationName, reading: true };
  }

  get isIdle(): boolean {
    return this.#watchers.length === 0;
  }

  /** What it reads. */
  get route(): string {
    return this.source.operation.route;
  }

  get onWire(): boolean {
    return this.#busy && (this.#abort?.onWire === true || this.device.isAskedOnWire);
  }

  add(watcher: Watcher): void {
    this.#watchers = this.#watchers.concat(watcher);
    this.#wantIn(firstDelayMs(watcher.intervalMs, this.timing.random()));
    if (this.#lack) watcher.onLack(this.#lack, false);
  }

  remove(watcher: Watcher): void {
    this.#watchers = this.#watchers.filter((one) => one !== watcher);
    const closed = `${this.source.operationName}: the node was closed meanwhile`;
    this.#askers?.refuseOf(watcher, new DeviceError('ABORTED', closed));
    if (this.isIdle) this.stop();
  }

  /** For good: leaves no timer and no request. */
  stop(): void {
    this.#cancelTimer?.();
    this.#watchers = [];
    this.#abort?.abort(Failure.own('ABORTED', localized('canceled')));
  }

  /** The device is closed: whoever still watches must not go on looking as if it were read. */
  close(): void {
    const watchers = this.#watchers;
    this.#isClosed = true;
    this.stop();
    for (const watcher of watchers) watcher.onClosed();
    this.#askers?.refuse(this.closedError);
  }

  /** What is said of a device that was closed. */
  get closedError(): DeviceError {
    const sentence = `Device "${this.device.name}" was closed by a deploy; deploy this node too to read it again`;
    return new DeviceError('ABORTED', sentence);
  }

  /**
   * Reads now, or once more after the reading that is under way. The watcher is told of the reading before.
   * @throws DeviceError
   */
  read(watcher: Watcher): Promise<void> {
    if (this.#isClosed) return Promise.reject(this.closedError);
    this.#askers ??= new Askers();
    const read = this.#askers.add(watcher);
    this.#wantIn(0);
    return read;
  }

  /** Reads a little later, for example to see what an action has changed. */
  readSoon(ms = settleMs): void {
    if (this.#last !== 'lack' && Number.isFinite(this.#intervalMs())) this.#wantIn(ms);
  }

  /** Reads now for somebody who comes back, also what was lacking. */
  readNow(): void {
    this.#wantIn(0);
  }

  /** A watcher wants another interval. It counts from the last reading: messages to one do not delay the others. */
  replan(): void {
    if (this.#busy) return;
    const now = this.timing.monotonic();
    this.#setTimer(this.#nextMs(now - (this.#startedAt ?? now)));
  }

  /** Says once that contact is lost or back, however many watchers find out. */
  sayContact(isLost: boolean, line: string): void {
    if (this.#isLostSaid === isLost) return;
    this.#isLostSaid = isLost;
    this.device.warn(line);
  }

  #wantIn(ms: number): void {
    const at = this.timing.monotonic() + ms;
    this.#wantedAt = Math.min(this.#wantedAt, at);
    if (!this.#busy && at < this.#dueAt) this.#setTimer(ms);
  }

  #setTimer(ms: number): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const wantedMs = Math.max(0, this.#wantedAt - this.timing.monotonic());
    const delayMs = Math.min(ms, wantedMs);
    this.#dueAt = this.timing.monotonic() + delayMs;
    if (!Number.isFinite(delayMs) || this.isIdle) return;
    this.#cancelTimer = this.timing.after(delayMs, this.#onTimer);
  }

  /** One for all timers: there is a timer for every reading. */
  readonly #onTimer = () => {
    this.#readOnce().catch((fault: unknown) =>
      this.device.warn(`${this.source.operationName}: ${wordsOf(fault)}`),
    );
  };

  async #readOnce(): Promise<void> {
    const started = this.timing.monotonic();
    this.#startedAt = started;
    const lateMs = started - this.#dueAt;
    const askers = this.#askers;
    this.#askers = undefined;
    this.#busy = true;
    this.#wantedAt = Number.POSITIVE_INFINITY;
    const outcome = await this.#ask();
    this.#busy = false;
    if (this.isIdle) return askers?.refuse(this.closedError);
    this.#note(outcome);
    const asking = askers?.watchers;
    for (const watcher of this.#watchers) this.#tell(watcher, outcome, asking?.has(watcher) === true);
    if (outcome.kind === 'reading') askers?.answer();
    else askers?.refuse(outcome.error);
    // Less by what the timer was late, so that lateness does not add up.
    this.#setTimer(Math.max(0, this.#nextMs(this.timing.monotonic() - started) - lateMs));
  }

  /** Never rejects. */
  async #ask(): Promise<Outcome> {
    const { source, device } = this;
    const abort = new Abort();
    this.#abort = abort;
    try {
      const lack = this.#worked ? undefined : await this.#lackNow();
      if (lack) return { kind: 'lack', error: lack };
      const { body } = await device.call(source.operation, {}, this.#options, abort);
      const finding = source.check(body);
      if (finding !== undefined) {
        throw new DeviceError('PROTOCOL', `${source.operationName} at "${device.name}": ${finding}`);
      }
      return {
        kind: 'reading',
        reading: { body, at: this.timing.now(), monotonic: this.timing.monotonic() },
      };
    } catch (error) {
      const failure = error instanceof DeviceError ? error : new DeviceError('PROTOCOL', wordsOf(error));
      return { kind: !this.#worked && isAbsent(failure) ? 'lack' : 'miss', error: failure };
    }
  }

  /** What a known model or firmware lacks; nothing is sent then. */
  async #lackNow(): Promise<DeviceError | undefined> {
    const { device, source } = this;
    if (this.#mayChange) device.forgetIdentity();
    const lack = await lackFor(device, source.operation);
    this.#mayChange = lack?.because !== 'model';
    if (!lack) return undefined;
    return new DeviceError('NOT_SUPPORTED', `${source.operationName} at "${device.name}": ${lack.sentence}`);
  }

  #note(outcome: Outcome): void {
    const wasGone = !this.#worked || this.#missed > 0;
    this.#last = outcome.kind;
    if (outcome.kind !== 'lack') this.#mayChange = false;
    this.#lack = outcome.kind === 'lack' ? outcome.error : undefined;
    this.#missed = outcome.kind === 'miss' ? this.#missed + 1 : 0;
    if (outcome.kind !== 'reading') return;
    this.#worked = true;
    if (wasGone) void this.device.identity();
  }

  /** What one watcher does wrong must not reach the others. */
  #tell(watcher: Watcher, outcome: Outcome, isAsked: boolean): void {
    try {
      if (outcome.kind === 'reading') watcher.onReading(outcome.reading, isAsked);
      else if (outcome.kind === 'miss') watcher.onMiss(outcome.error, isAsked);
      else watcher.onLack(outcome.error, isAsked);
    } catch (fault) {
      this.device.warn(`${this.source.operationName}: ${describeFault(fault)}`);
    }
  }

  #intervalMs(): number {
    let shortest = Number.POSITIVE_INFINITY;
    for (const { intervalMs } of this.#watchers) shortest = Math.min(shortest, intervalMs);
    return shortest;
  }

  /** Milliseconds to the next reading that the interval wants. */
  #nextMs(tookMs: number): number {
    const intervalMs = this.#intervalMs();
    if (!Number.isFinite(intervalMs)) return intervalMs;
    if (this.#last === 'lack') return Math.max(minIntervalMs, lackMs - tookMs);
    if (this.#missed === 0) return nextDelayMs(intervalMs, tookMs);
    const limit = Math.max(...this.#watchers.map(({ misses }) => misses));
    if (this.#missed < limit) return nextDelayMs(intervalMs, tookMs);
    const awayMs = awayIntervalMs(intervalMs, this.#missed - limit + 1);
    return Math.max(minIntervalMs, awayMs - tookMs);
  }
}

/** It answers that it knows no such thing (docs/readings.md, "Models and firmware"). */
function isAbsent({ statusCode }: DeviceError): boolean {
  return statusCode === 404 || statusCode === 405 || statusCode === 501;
}

/** What a device lacks for an operation, asking it who it is where that matters. Never rejects. */
async function lackFor(device: ReaderDevice, operation: Operation): Promise<Unsupported | undefined> {
  const needs = needsOfAny(operation);
  const known = lackAt(device, needs);
  if (known?.because === 'model' || !mayLack(device, needs)) return known;
  return lackAt(device, needs, await device.identity());
}
