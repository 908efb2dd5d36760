import { type DeviceError, describeFault } from '../../client/errors';
import { Failure } from '../../client/failure';
import { Abort } from '../../client/queue/entry';
import type { Clock } from '../../kernel/time/clock';
import type { Device } from '../device/device';
import { firstDelayMs, nextDelayMs } from '../watch/pace';
import type { Reader, Watcher } from '../watch/reader';
import type { Reading } from '../watch/reading';
import { type Readings, readingsOf } from '../watch/readings';
import { statusSource } from '../watch/status';
import { checkDevice } from './check';
import type { SupervisionSettings } from './expectations';
import type { CheckResult } from './finding';

type SharedReading =
  | { readonly body: unknown; readonly monotonic: number }
  | { readonly error: DeviceError; readonly monotonic: number };

export interface CheckerOptions {
  readonly settings: SupervisionSettings;
  /**
   * Time from the end of the first check to the second check, in milliseconds. Further checks begin
   * one interval apart.
   */
  readonly phaseMs: number;
  readonly onResult: (result: CheckResult) => void;
}

export class DeviceChecker implements Watcher {
  /**
   * Infinite, so that the shared reader plans no readings for the checker. The checker requests each of its
   * readings.
   */
  readonly intervalMs = Number.POSITIVE_INFINITY;
  readonly misses = 1;
  readonly #readings: Readings;
  readonly #reader: Reader | undefined;
  #abort = new Abort();
  #cancelTimer: (() => void) | undefined;
  #running: Promise<void> | undefined;
  /** The check after the running check; undefined if no further check was requested. */
  #next: Promise<void> | undefined;
  #shared: SharedReading | undefined;
  #own: Reading | undefined;
  #isFirst = true;
  #isStopped = false;

  constructor(
    readonly device: Device,
    private readonly options: CheckerOptions,
    private readonly clock: Clock,
  ) {
    this.#readings = readingsOf(device);
    if (options.settings.sip) this.#reader = this.#readings.join(statusSource, this);
    this.#plan(firstDelayMs(options.settings.interval, clock.random()));
  }

  check(): Promise<void> {
    if (!this.#running) return this.#run(true);
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      return this.#run(true);
    });
    return this.#next;
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer?.();
    if (this.#reader) this.#readings.leave(statusSource, this);
    this.#abort.abort(Failure.nodeClosed());
  }

  onReading(reading: Reading, isAsked: boolean): void {
    if (isAsked) this.#own = reading;
    else this.#shared = reading;
  }

  onMiss(error: DeviceError, isAsked: boolean): void {
    if (!isAsked) this.#shared = { error, monotonic: this.clock.monotonic() };
  }

  onUnsupported(error: DeviceError, isAsked: boolean): void {
    this.onMiss(error, isAsked);
  }

  onClosed(): void {
    this.stop();
  }

  #plan(ms: number): void {
    this.#cancelTimer?.();
    this.#cancelTimer = this.clock.after(ms, () => this.#onTimer());
  }

  #onTimer(): void {
    const started = this.clock.monotonic();
    const check = this.#running ?? this.#run(false);
    void check.then(() => {
      if (this.#isStopped) return;
      const { settings, phaseMs } = this.options;
      const tookMs = this.clock.monotonic() - started;
      this.#plan(this.#isFirst ? phaseMs : nextDelayMs(settings.interval, tookMs));
      this.#isFirst = false;
    });
  }

  #run(isAsked: boolean): Promise<void> {
    const running = this.#check(isAsked)
      .then((result) => {
        this.#running = undefined;
        if (result && !this.#isStopped) this.options.onResult(result);
      })
      // A fault in a report must stop neither Node-RED nor the checks.
      .catch((fault: unknown) => this.device.warn(describeFault(fault)));
    this.#running = running;
    return running;
  }

  async #check(isAsked: boolean): Promise<CheckResult | undefined> {
    if (this.#isStopped) return undefined;
    const shared = isAsked ? undefined : this.#takeShared();
    const readStatus = () => this.#readStatus(shared);
    const beginRequest = () => {
      // A stopped check sends no further request.
      if (!this.#isStopped) this.#abort = new Abort();
      return this.#abort;
    };
    const now = () => this.clock.now();
    return checkDevice(this.device, this.options.settings, readStatus, beginRequest, now);
  }

  /**
   * Returns the last reading that another watcher has caused, which saves a request. Undefined if there is
   * none, or if the reading is at least as old as the interval.
   */
  #takeShared(): SharedReading | undefined {
    const shared = this.#shared;
    this.#shared = undefined;
    if (!shared || this.clock.monotonic() - shared.monotonic >= this.options.settings.interval)
      return undefined;
    return shared;
  }

  async #readStatus(shared: SharedReading | undefined): Promise<Readonly<Record<string, unknown>>> {
    if (shared && 'error' in shared) throw shared.error;
    if (!shared) await this.#reader?.read(this);
    return Object((shared ?? this.#own)?.body);
  }
}
