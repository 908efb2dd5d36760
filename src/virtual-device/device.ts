import { EventEmitter } from 'node:events';
import { defaultRebootMs, defaultReloadMs } from './choices';
import { SystemClock, type Timer } from './clock/clock';
import { DeviceClock } from './clock/device-clock';
import { Controls } from './control/controls';
import { Core } from './core';
import { coreOptionsOf, type VirtualDeviceOptions } from './device-options';
import { FaultInjector } from './faults/injector';
import type { Before, FaultPlan } from './faults/plan';
import { entryOf, type LogEntry, RequestLog } from './log/entry';
import { Persistence } from './memory/persistence';
import { Store } from './memory/store';
import { shownFile } from './panel/shown';
import { type Snapshot, takeSnapshot } from './panel/snapshot';
import { routes } from './routes';
import { type Asked, dispatch } from './routes/dispatch';
import { bytesWorthTaking } from './routes/gate';
import { showDatabase } from './schedule/database';
import type { DeviceState, InputName } from './state/state';
import type { Answer } from './wire/answer';
import type { Lock } from './wire/authentication';
import { makeCertificate } from './wire/certificate';
import type { Incoming } from './wire/incoming';
import { DeviceServer, listenError } from './wire/server';

/** What a virtual device tells whoever listens. */
export interface DeviceEvents {
  /** After each request, just before its answer leaves. */
  request: [entry: LogEntry];
  /** After each change of the state, with the part that changed. */
  change: [part: keyof DeviceState, state: DeviceState];
  /** After the device did something by itself, in words such as `local door locked again`. */
  happened: [words: string];
  /** After something went wrong that no request and no command is told, in words. */
  trouble: [words: string];
  /** After it has ended for good, or until it is started again. */
  stopped: [];
  /** After faults, time, identity or the schedule have changed. */
  control: [];
}

export type { VirtualDeviceOptions } from './device-options';

/**
 * A device that behaves as docs/interface.md says and refuses what it does not allow.
 * The constructor throws when model or firmware are not understood.
 */
export class VirtualDevice extends EventEmitter<DeviceEvents> {
  readonly #options: VirtualDeviceOptions;
  readonly #core: Core;
  readonly #clock: DeviceClock;
  readonly #injector = new FaultInjector();
  readonly #log: RequestLog;
  readonly #persistence: Persistence;
  #server: DeviceServer | undefined;
  #starting: Promise<string> | undefined;
  #outage: Timer | undefined;
  /** Everything that is done to it apart from its interface. */
  readonly controls: Controls;

  constructor(options: VirtualDeviceOptions = {}) {
    super();
    // Each open panel listens.
    this.setMaxListeners(0);
    this.#options = options;
    this.#clock = new DeviceClock(options.clock ?? new SystemClock());
    this.#log = new RequestLog(options.logLength);
    this.#core = new Core(coreOptionsOf(options, this.#clock), {
      changed: (part) => this.#tell('change', part, this.state),
      happened: (words) => this.#tell('happened', words),
      remembered: () => this.#persistence.keep(),
    });
    const store = options.folder === undefined ? undefined : new Store(options.folder);
    this.#persistence = new Persistence(this.#core, store, (words) => this.#tell('trouble', words));
    this.controls = new Controls({
      core: this.#core,
      clock: this.#clock,
      injector: this.#injector,
      host: options.host ?? '127.0.0.1',
      server: () => this.#server,
      restart: (ms) => this.#server && this.#restart(this.#server, 'reboot', ms),
      permanently: (change) => this.#persistence.change(change),
      changed: () => this.#tell('control'),
    });
  }

  /**
   * Listens, and gives the address as a URL. Rejects with the cause's `code` when the port cannot be had.
   * @param port another one than its options say
   */
  start(port = this.#options.port ?? 0): Promise<string> {
    this.#starting ??= this.#listen(port).catch((error: unknown) => {
      this.#starting = undefined;
      this.#persistence.close();
      throw error;
    });
    return this.#starting;
  }

  /** Ends every connection and timer. What it remembered is still there at the next start. */
  async stop(): Promise<void> {
    await this.pause();
    this.#core.keeper.cancelAll();
    this.#persistence.close();
    this.#tell('stopped');
  }

  /** Ends every connection, and listens no more. What it is doing goes on, and so it is at the next start. */
  async pause(): Promise<void> {
    await this.#starting?.catch(() => undefined);
    this.#starting = undefined;
    this.#outage?.cancel();
    const server = this.#server;
    this.#server = undefined;
    await server?.close();
  }

  /** Where it listens, as a URL without a trailing slash; empty while it does not. */
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

  /** The configuration parameters, as `GET /api/settings/…` would give them. */
  get settings(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#core.settings);
  }

  /** The bytes of its files, by path. */
  get files(): ReadonlyMap<string, Buffer> {
    return this.#core.files.files;
  }

  /** Its schedules, as `GET /api/schedules` would give them. */
  get schedules(): Readonly<Record<string, unknown>> {
    return showDatabase(this.#core.scheduler.database);
  }

  /** How requests have to authenticate now, whatever it was told at its start. */
  get access(): Readonly<Pick<Lock, 'method' | 'password'>> {
    return this.#core.lock;
  }

  /** The last requests, oldest first. */
  get log(): readonly LogEntry[] {
    return this.#log.entries;
  }

  /** Puts a text on a relay input, such as `active (Normally Open)`, `idle` or `Disabled` (section 2.5). */
  setInput(name: InputName, text: string): void {
    this.controls.setInput(name, text);
  }

  /** Everything that a panel shows, but the requests. */
  snapshot(): Snapshot {
    return takeSnapshot(this.#core, this.#clock, this.#injector, this.address);
  }

  /** The bytes that a panel shows or plays, by what follows the `?` of their address in a snapshot. */
  shownFile(query: URLSearchParams): Buffer | undefined {
    return shownFile(this.#core, query);
  }

  async #listen(port: number): Promise<string> {
    const { host = '127.0.0.1', tls = false } = this.#options;
    this.#persistence.open();
    const certificate = tls ? await makeCertificate(host) : undefined;
    const server = new DeviceServer({
      host,
      port,
      certificate,
      clock: this.#clock,
      outside: this.#clock.outside,
      worth: (head) => bytesWorthTaking(this.#core, head),
      plan: ({ method, target }) => this.#strike(method, target),
      respond: (incoming, plan) => this.#respond(incoming, plan),
      prevented: (incoming, before, plan) => this.#notePrevented(incoming, before, plan),
      sent: ({ afterwards }) => afterwards && this.#restart(server, afterwards),
    });
    try {
      await server.listen();
    } catch (error) {
      throw listenError(error, host, port);
    }
    this.#server = server;
    this.#core.keeper.set('power', 'on');
    this.#core.scheduler.wind();
    return server.address;
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

  /** Listens again where it did; when somebody took the port meanwhile, until it is free. */
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

  #strike(method: string, target: string): FaultPlan | undefined {
    const plan = this.#injector.strike(method, target);
    if (plan) this.#tell('control');
    return plan;
  }

  #respond(incoming: Incoming, plan?: FaultPlan): Answer {
    const asked = this.#dispatch(incoming);
    const answer = asked.act();
    this.#note(incoming, asked, answer, plan);
    return answer;
  }

  #notePrevented(incoming: Incoming, before: Before, plan: FaultPlan): void {
    const status = before.kind === 'status' ? before.status : 0;
    const reason = `nothing was done, because of a fault: ${plan.words}`;
    this.#note(incoming, this.#dispatch(incoming), { status, reason }, plan);
  }

  #dispatch(incoming: Incoming): Asked {
    return dispatch(this.#core, routes, incoming, (change) => this.#persistence.change(change));
  }

  #note(incoming: Incoming, { operation }: Asked, answer: Answer, plan: FaultPlan | undefined): void {
    const entry = entryOf(incoming, operation, answer, this.#clock.now(), plan?.words);
    this.#log.add(entry);
    this.#tell('request', entry);
  }

  /** A listener that throws must neither take the host process down nor spoil an answer. */
  #tell<K extends keyof DeviceEvents>(event: K, ...content: DeviceEvents[K]): void {
    try {
      (this as EventEmitter).emit(event, ...content);
    } catch (error) {
      process.emitWarning(`a listener for "${event}" of a virtual device failed: ${error}`);
    }
  }
}
