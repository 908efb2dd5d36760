import {
  dependsOnIdentity,
  findUnsupportedAt,
  needsOfAny,
  type Unsupported,
} from '../../catalogue/compatibility';
import { joinMessages, localized } from '../../catalogue/localized-message';
import type { Operation } from '../../catalogue/operation';
import type { CallOptions } from '../../client/call';
import { asDeviceError, DeviceError, describeFault, type ErrorDetails, wordsOf } from '../../client/errors';
import { Failure } from '../../client/failure';
import { Abort } from '../../client/queue/entry';
import type { Clock } from '../../kernel/time/clock';
import type { Device } from '../device/device';
import { awayIntervalMs, firstDelayMs, minIntervalMs, nextDelayMs } from './pace';
import type { Reading, Source } from './reading';

export type ReaderDevice = Pick<
  Device,
  'name' | 'letDeviceDecide' | 'knownIdentity' | 'identity' | 'forgetIdentity' | 'call' | 'warn'
>;

export interface Watcher {
  /** Requested interval between readings, in milliseconds; infinite while the node requests no readings. */
  readonly intervalMs: number;
  readonly misses: number;
  /**
   * Called after each usable response.
   * @param isAsked whether a message to this watcher requested the reading
   */
  onReading(reading: Reading, isAsked: boolean): void;
  onMiss(error: DeviceError, isAsked: boolean): void;
  onUnsupported(error: DeviceError, isAsked: boolean): void;
  /** Called when the device was closed, but the watcher was not. No readings follow. */
  onClosed(): void;
}

/** A message to a watcher that waits for the next reading. */
interface Asker {
  readonly watcher: Watcher;
  resolve(): void;
  reject(error: DeviceError): void;
}

/**
 * Interval for a device that does not support the operation, in milliseconds. The device is read again, since
 * a booting device can also answer that the operation does not exist.
 */
const unsupportedIntervalMs = 180_000;

/** Time from a command until its effect can be read, in milliseconds. */
const settleMs = 200;

type Outcome =
  | { readonly kind: 'reading'; readonly reading: Reading }
  | { readonly kind: 'miss' | 'unsupported'; readonly error: DeviceError };

/**
 * Reads one operation of one device for all watchers, never twice in parallel. Each watcher has its own
 * connection state, pause and answers to messages.
 */
export class Reader {
  #watchers: readonly Watcher[] = [];
  #cancelTimer: (() => void) | undefined;
  /** The time at which the timer fires, on the monotonic clock. */
  #dueAt = Number.POSITIVE_INFINITY;
  #busy = false;
  #abort: Abort | undefined;
  #startedAt: number | undefined;
  /**
   * Time of the next reading that does not wait for the end of the interval, in milliseconds on the monotonic
   * clock; infinite if there is none.
   */
  #wantedAt = Number.POSITIVE_INFINITY;
  #askers: readonly Asker[] = [];
  #missed = 0;
  #last: Outcome['kind'] | undefined;
  #worked = false;
  #unsupported: DeviceError | undefined;
  /**
   * Whether an unsupported operation might become supported, because of an upgrade or because the device was
   * booting.
   */
  #mayChange = false;
  #isClosed = false;
  #isOfflineReported = false;
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

  get route(): string {
    return this.source.operation.route;
  }

  add(watcher: Watcher): void {
    this.#watchers = this.#watchers.concat(watcher);
    // A watcher with an infinite interval requests each of its readings.
    if (Number.isFinite(watcher.intervalMs))
      this.#wantIn(firstDelayMs(watcher.intervalMs, this.timing.random()));
    if (this.#unsupported) watcher.onUnsupported(this.#unsupported, false);
  }

  remove(watcher: Watcher): void {
    this.#watchers = this.#watchers.filter((one) => one !== watcher);
    const { operationName } = this.source;
    const closed = new DeviceError('ABORTED', 'the node was closed in the meantime', { operationName });
    for (const asker of this.#askers) if (asker.watcher === watcher) asker.reject(closed);
    this.#askers = this.#askers.filter((asker) => asker.watcher !== watcher);
    if (this.isIdle) this.stop();
  }

  stop(): void {
    this.#cancelTimer?.();
    this.#watchers = [];
    this.#abort?.abort(Failure.own('ABORTED', localized('canceled')));
  }

  /**
   * Ends all readings of a closed device. Notifies the remaining watchers, so that their nodes do not show
   * the device as watched.
   */
  close(): void {
    const watchers = this.#watchers;
    this.#isClosed = true;
    this.stop();
    for (const watcher of watchers) watcher.onClosed();
    for (const { reject } of this.#askers) reject(this.closedError);
  }

  get closedError(): DeviceError {
    const words = joinMessages([localized('closedByDeploy'), 'deploy this node too to read it again']);
    return new DeviceError('ABORTED', words, { place: `"${this.device.name}"` });
  }

  /**
   * Reads now; if a reading is running, reads once more after that reading. The watcher receives the reading
   * before the promise resolves.
   * @throws DeviceError if the reading fails
   */
  read(watcher: Watcher): Promise<void> {
    if (this.#isClosed) return Promise.reject(this.closedError);
    return new Promise((resolve, reject) => {
      this.#askers = this.#askers.concat({ watcher, resolve, reject });
      this.#wantIn(0);
    });
  }

  /**
   * Reads after a short delay, for example to read the effect of a command. Has no effect if the operation is
   * not supported, or if no watcher has an interval, for example during a pause.
   */
  readSoon(ms = settleMs): void {
    if (this.#last !== 'unsupported' && Number.isFinite(this.#intervalMs())) this.#wantIn(ms);
  }

  /**
   * Reads immediately for a watcher that resumes, even if the last reading found the operation unsupported.
   */
  readNow(): void {
    this.#wantIn(0);
  }

  /**
   * Sets the timer again after a watcher has changed its interval. The interval counts from the last reading,
   * so that messages to one watcher do not delay the readings of other watchers.
   */
  replan(): void {
    if (this.#busy) return;
    const now = this.timing.monotonic();
    this.#setTimer(this.#nextMs(now - (this.#startedAt ?? now)));
  }

  /** Logs once that the device is offline or online again, even if several watchers notice the change. */
  logConnection(isOffline: boolean, line: string): void {
    if (this.#isOfflineReported === isOffline) return;
    this.#isOfflineReported = isOffline;
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
    this.#askers = [];
    this.#busy = true;
    this.#wantedAt = Number.POSITIVE_INFINITY;
    const outcome = await this.#ask();
    this.#busy = false;
    if (this.isIdle) {
      for (const { reject } of askers) reject(this.closedError);
      return;
    }
    this.#record(outcome);
    const asking = new Set(askers.map(({ watcher }) => watcher));
    for (const watcher of this.#watchers) this.#notify(watcher, outcome, asking.has(watcher));
    for (const { resolve, reject } of askers) {
      if (outcome.kind === 'reading') resolve();
      else reject(outcome.error);
    }
    // Subtracts the time by which the timer was late, since this time would otherwise add up.
    this.#setTimer(Math.max(0, this.#nextMs(this.timing.monotonic() - started) - lateMs));
  }

  /** Never rejects. */
  async #ask(): Promise<Outcome> {
    const { source, device } = this;
    const abort = new Abort();
    this.#abort = abort;
    try {
      const unsupported = this.#worked ? undefined : await this.#supportError();
      if (unsupported) return { kind: 'unsupported', error: unsupported };
      const { body } = await device.call(source.operation, {}, this.#options, abort);
      const finding = source.check(body);
      if (finding !== undefined) {
        throw new DeviceError('PROTOCOL', finding, this.#where);
      }
      return {
        kind: 'reading',
        reading: { body, at: this.timing.now(), monotonic: this.timing.monotonic() },
      };
    } catch (error) {
      const failure = asDeviceError(error);
      return { kind: !this.#worked && isAbsent(failure) ? 'unsupported' : 'miss', error: failure };
    }
  }

  async #supportError(): Promise<DeviceError | undefined> {
    const { device, source } = this;
    if (this.#mayChange) device.forgetIdentity();
    const unsupported = await checkSupport(device, source.operation);
    this.#mayChange = unsupported?.because !== 'model';
    if (!unsupported) return undefined;
    return new DeviceError('NOT_SUPPORTED', unsupported.sentence, this.#where);
  }

  get #where(): ErrorDetails {
    return { operationName: this.source.operationName, place: `"${this.device.name}"` };
  }

  #record(outcome: Outcome): void {
    const wasGone = !this.#worked || this.#missed > 0;
    this.#last = outcome.kind;
    if (outcome.kind !== 'unsupported') this.#mayChange = false;
    this.#unsupported = outcome.kind === 'unsupported' ? outcome.error : undefined;
    this.#missed = outcome.kind === 'miss' ? this.#missed + 1 : 0;
    if (outcome.kind !== 'reading') return;
    this.#worked = true;
    if (wasGone) void this.device.identity();
  }

  #notify(watcher: Watcher, outcome: Outcome, isAsked: boolean): void {
    try {
      if (outcome.kind === 'reading') watcher.onReading(outcome.reading, isAsked);
      else if (outcome.kind === 'miss') watcher.onMiss(outcome.error, isAsked);
      else watcher.onUnsupported(outcome.error, isAsked);
    } catch (fault) {
      this.device.warn(`${this.source.operationName}: ${describeFault(fault)}`);
    }
  }

  #intervalMs(): number {
    let shortest = Number.POSITIVE_INFINITY;
    for (const { intervalMs } of this.#watchers) shortest = Math.min(shortest, intervalMs);
    return shortest;
  }

  #nextMs(tookMs: number): number {
    const intervalMs = this.#intervalMs();
    if (!Number.isFinite(intervalMs)) return intervalMs;
    if (this.#last === 'unsupported') return Math.max(minIntervalMs, unsupportedIntervalMs - tookMs);
    if (this.#missed === 0) return nextDelayMs(intervalMs, tookMs);
    const limit = Math.max(...this.#watchers.map(({ misses }) => misses));
    if (this.#missed < limit) return nextDelayMs(intervalMs, tookMs);
    const awayMs = awayIntervalMs(intervalMs, this.#missed - limit + 1);
    return Math.max(minIntervalMs, awayMs - tookMs);
  }
}

/**
 * Whether the device answered that the operation does not exist (docs/readings.md, "Models and firmware").
 */
function isAbsent({ statusCode }: DeviceError): boolean {
  return statusCode === 404 || statusCode === 405 || statusCode === 501;
}

/**
 * Reads the identity only if the result depends on the identity. Never rejects.
 * @returns undefined if the device supports or might support the operation
 */
export async function checkSupport(
  device: Pick<ReaderDevice, 'letDeviceDecide' | 'knownIdentity' | 'identity'>,
  operation: Operation,
): Promise<Unsupported | undefined> {
  const needs = needsOfAny(operation);
  const known = findUnsupportedAt(device, needs);
  if (known?.because === 'model' || !dependsOnIdentity(device, needs)) return known;
  return findUnsupportedAt(device, needs, await device.identity());
}
