import { EventEmitter } from 'node:events';
import { Caller } from './calls/caller';
import { defaultRebootMs, defaultReloadMs } from './choices';
import { SystemClock, type Timer } from './clock/clock';
import { DeviceClock } from './clock/device-clock';
import { type Controlled, carryOutCommand } from './commands';
import { Core } from './core';
import type { VirtualDeviceOptions } from './device-options';
import { FaultInjector } from './faults/injector';
import type { Before, FaultPlan } from './faults/plan';
import { type CallEntry, callEntryOf } from './log/call-entry';
import { entryOf, Log, type LogEntry } from './log/entry';
import { printable } from './log/printable';
import { shownFile } from './panel/shown';
import { type Snapshot, takeSnapshot } from './panel/snapshot';
import { routes } from './routes';
import { dispatch, type MatchedRequest } from './routes/dispatch';
import { type StoredEvent, showDatabase } from './schedule/database';
import { Persistence } from './state/persistence';
import type { DeviceState, InputName } from './state/state';
import { Store } from './state/store';
import type { Answer } from './wire/answer';
import type { Lock } from './wire/authentication';
import { makeCertificate } from './wire/certificate';
import type { Incoming } from './wire/incoming';
import { DeviceServer, listenError } from './wire/server';

export interface DeviceEvents {
  /** Emitted when a request is carried out, rejected or prevented by a fault, before any answer is sent. */
  request: [entry: LogEntry];
  /** Emitted after each call of the device, with the result of the call. */
  call: [entry: CallEntry];
  change: [part: keyof DeviceState, state: DeviceState];
  /** Emitted after the device acted by itself, with a description such as `local door locked again`. */
  happened: [words: string];
  /** Emitted after an error that no request or command reports, with a description of the error. */
  trouble: [words: string];
  stopped: [];
  /** Emitted after a change that `change` does not report, for example of faults, time or identity. */
  control: [];
}

export type { VirtualDeviceOptions } from './device-options';

/**
 * A simulated device. Answers requests as docs/interface.md describes, and rejects requests that the document
 * does not describe (fewer with `lenient`).
 * @throws Error for an unknown model or firmware
 */
export class VirtualDevice extends EventEmitter<DeviceEvents> {
  readonly #options: VirtualDeviceOptions;
  readonly #core: Core;
  readonly #clock: DeviceClock;
  readonly #injector = new FaultInjector();
  readonly #log: Log<LogEntry>;
  readonly #callLog: Log<CallEntry>;
  readonly #caller: Caller;
  readonly #persistence: Persistence;
  #server: DeviceServer | undefined;
  #starting: Promise<string> | undefined;
  #isExposed = true;
  #outage: Timer | undefined;
  readonly #controlled: Controlled;

  constructor(options: VirtualDeviceOptions = {}) {
    super();
    // The number of listeners has no limit, since each open panel adds listeners.
    this.setMaxListeners(0);
    this.#options = options;
    this.#clock = new DeviceClock(options.clock ?? new SystemClock());
    this.#log = new Log(options.logLength);
    this.#callLog = new Log(options.logLength);
    this.#core = new Core(options, this.#clock, {
      changed: (part) => this.#notify('change', part, this.state),
      // The name of an event can contain control characters, which must not reach a terminal or start a new
      // line in a log.
      happened: (words) => this.#notify('happened', printable(words)),
      remembered: () => this.#persistence.keep(),
      calling: (event) => this.#callFor(event),
    });
    this.#caller = new Caller({
      reach: options.calls ?? 'loopback',
      // A folder can hold a schedule that was written while other computers could reach the device.
      isScheduleTrusted: () =>
        options.calls !== undefined || (!this.#isExposed && options.folder === undefined),
      signatory: () => this.#core.lock,
      outside: this.#clock.outside,
      called: (call, event, result) => {
        const entry = callEntryOf(call, event, result, this.#clock.now());
        this.#callLog.add(entry);
        this.#notify('call', entry);
      },
    });
    const store = options.folder === undefined ? undefined : new Store(options.folder);
    this.#persistence = new Persistence(this.#core, store, (words) => this.#notify('trouble', words));
    this.#controlled = {
      core: this.#core,
      clock: this.#clock,
      injector: this.#injector,
      caller: this.#caller,
      server: () => this.#server,
      snapshot: () => this.snapshot(),
      restart: (ms) => this.#server && this.#restart(this.#server, 'reboot', ms),
      permanently: (change) => this.#persistence.change(change),
      changed: () => this.#notify('control'),
    };
  }

  /**
   * Starts to listen and returns the URL. If the port is not available, rejects with an error that has the
   * `code` of its cause.
   * @param port overrides the port of the options
   */
  start(port = this.#options.port ?? 0): Promise<string> {
    this.#starting ??= this.#listen(port).catch((error: unknown) => {
      this.#starting = undefined;
      this.#persistence.close();
      throw error;
    });
    return this.#starting;
  }

  /**
   * Closes all connections, and ends all timers and calls. A later start continues with the permanent state.
   */
  async stop(): Promise<void> {
    await this.pause();
    this.#core.keeper.cancelAll();
    this.#persistence.close();
    await this.#caller.stop();
    this.#notify('stopped');
  }

  /** Closes all connections and the port. The activity of the device continues. */
  async pause(): Promise<void> {
    await this.#starting?.catch(() => undefined);
    this.#starting = undefined;
    this.#outage?.cancel();
    const server = this.#server;
    this.#server = undefined;
    await server?.close();
  }

  /** The URL without a trailing slash; empty while the device does not listen. */
  get address(): string {
    return this.#server?.address ?? '';
  }

  get model(): string {
    return this.#core.model.number;
  }

  get firmware(): string {
    return this.#core.firmware;
  }

  get state(): DeviceState {
    return this.#core.keeper.state;
  }

  get settings(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#core.settings);
  }

  get files(): ReadonlyMap<string, Buffer> {
    return this.#core.files.files;
  }

  get schedules(): Readonly<Record<string, unknown>> {
    return showDatabase(this.#core.scheduler.database);
  }

  /** The authentication in force, which a write to the settings can change after the start. */
  get access(): Readonly<Pick<Lock, 'method' | 'password'>> {
    return this.#core.lock;
  }

  /** The last `logLength` requests, oldest first. */
  get log(): readonly LogEntry[] {
    return this.#log.entries;
  }

  /** The last `logLength` calls of the device, oldest first. */
  get calls(): readonly CallEntry[] {
    return this.#callLog.entries;
  }

  /** Carries out a command by its name. Rejects with a CommandError, whose message is for the user. */
  carryOut(name: string, given?: unknown): Promise<unknown> {
    return carryOutCommand(this.#controlled, name, given);
  }

  /** Sets the text of a relay input, such as `active (Normally Open)`, `idle` or `Disabled` (section 2.5). */
  setInput(name: InputName, text: string): void {
    this.#core.keeper.set('inputs', { ...this.state.inputs, [name]: text });
  }

  snapshot(): Snapshot {
    return takeSnapshot(this.#core, this.#clock, this.#injector, this.address);
  }

  /** @param query query of the file's URL in the snapshot */
  shownFile(query: URLSearchParams): Buffer | undefined {
    return shownFile(this.#core, query);
  }

  async #listen(port: number): Promise<string> {
    const { host } = this.#core;
    this.#persistence.open();
    const certificate = this.#options.tls ? await makeCertificate(host) : undefined;
    const server = new DeviceServer({
      host,
      port,
      certificate,
      clock: this.#clock,
      outside: this.#clock.outside,
      plan: ({ method, target }) => this.#applyFaults(method, target),
      respond: (incoming, plan) => this.#respond(incoming, plan),
      prevented: (incoming, before, plan) => this.#recordPrevented(incoming, before, plan),
      sent: ({ afterwards }) => afterwards && this.#restart(server, afterwards),
    });
    try {
      await server.listen();
    } catch (error) {
      throw listenError(error, host, port);
    }
    this.#server = server;
    this.#isExposed = server.isExposed;
    this.#core.keeper.set('power', 'on');
    this.#core.scheduler.start();
    return server.address;
  }

  #callFor({ fields, calls }: StoredEvent): void {
    const wanted = calls.map(({ fields: { method = '', target = '', path = '', header = '', payload } }) => ({
      ...{ method, target, path, header, payload },
    }));
    this.#caller.carryOut(fields.name ?? '', wanted);
  }

  #restart(server: DeviceServer, kind: 'reboot' | 'reload', wanted?: number): void {
    const { rebootMs = defaultRebootMs, reloadMs = defaultReloadMs } = this.#options;
    const ms = wanted ?? (kind === 'reboot' ? rebootMs : reloadMs);
    this.#core[kind]();
    if (ms === 0 || server !== this.#server || this.state.power === 'restarting') return;
    this.#core.keeper.set('power', 'restarting');
    void server.close();
    this.#outage = this.#clock.setTimeout(() => void this.#comeBack(server), ms);
  }

  /**
   * Listens again on the same port. If the port is not available, retries every second of the device's clock.
   */
  async #comeBack(server: DeviceServer): Promise<void> {
    try {
      await server.listen();
    } catch {
      if (server === this.#server)
        this.#outage = this.#clock.setTimeout(() => void this.#comeBack(server), 1000);
      return;
    }
    if (server === this.#server) this.#core.keeper.set('power', 'on');
    else await server.close();
  }

  #applyFaults(method: string, target: string): FaultPlan | undefined {
    const plan = this.#injector.applyFaults(method, target);
    if (plan) this.#notify('control');
    return plan;
  }

  #respond(incoming: Incoming, plan?: FaultPlan): Answer {
    const matched = this.#dispatch(incoming);
    this.#core.keepsFirmware = plan?.keepsFirmware === true;
    const answer = matched.act();
    this.#record(incoming, matched, answer, plan);
    return answer;
  }

  #recordPrevented(incoming: Incoming, before: Before, plan: FaultPlan): void {
    const status = before.kind === 'status' ? before.status : 0;
    const reason = `nothing was done, because of a fault: ${plan.words}`;
    this.#record(incoming, this.#dispatch(incoming), { status, reason }, plan);
  }

  #dispatch(incoming: Incoming): MatchedRequest {
    return dispatch(this.#core, routes, incoming, (change) => this.#persistence.change(change));
  }

  #record(
    incoming: Incoming,
    { operation }: MatchedRequest,
    answer: Answer,
    plan: FaultPlan | undefined,
  ): void {
    const entry = entryOf(incoming, operation, answer, this.#clock.now(), plan?.words);
    this.#log.add(entry);
    this.#notify('request', entry);
  }

  /**
   * An exception in a listener becomes a warning of the process, since the exception must not end the process
   * or change an answer.
   */
  #notify<K extends keyof DeviceEvents>(event: K, ...content: DeviceEvents[K]): void {
    try {
      (this as EventEmitter).emit(event, ...content);
    } catch (error) {
      process.emitWarning(`a listener for "${event}" of a virtual device failed: ${error}`);
    }
  }
}
