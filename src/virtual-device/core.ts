import { createHash } from 'node:crypto';
import type { DeviceTraits } from './checks/checks';
import { settingNames } from './choices';
import type { Clock } from './clock/clock';
import type { Memory } from './memory/store';
import { isAtLeast } from './product/firmware';
import type { Model } from './product/models';
import { carryOut, Scheduler } from './schedule/scheduler';
import { FileManager } from './state/file-manager';
import { factorySettings } from './state/parameters';
import { type ConsoleEventType, type DeviceState, type PlayingTone, StateKeeper } from './state/state';
import type { AuthenticationMethod, Lock } from './wire/authentication';

export interface CoreOptions {
  readonly model: Model;
  readonly firmware: string;
  readonly statuses: Statuses;
  readonly uploadSeconds: number;
  readonly auth: AuthenticationMethod;
  readonly password: string;
  readonly name: string;
  readonly lenient: boolean;
  readonly signedUri: Lock['signedUri'];
  readonly clock: Clock;
  readonly newFirmware?: string | undefined;
  readonly buttons?: Readonly<Record<string, ConsoleEventType>> | undefined;
  readonly panel?: (() => string | undefined) | undefined;
}

/** A listener for what the device does. */
export interface CoreListener {
  /** A part of the state has changed. */
  readonly changed: (part: keyof DeviceState) => void;
  /** It did something by itself, in words. */
  readonly happened: (words: string) => void;
  /** It has changed by itself what it remembers for good. */
  readonly remembered: () => void;
}

/** An upload that waits or plays. */
export interface Recording {
  readonly audio: Buffer;
  /** When it came, in the device's time, milliseconds since the epoch. */
  readonly at: number;
}

/** HTTP statuses that the document does not show, and that this device can be told to change. */
export interface Statuses {
  readonly forbidden: number;
  readonly interfaceOff: number;
}

const methodBySetting: Readonly<Record<string, AuthenticationMethod>> = {
  '0': 'standard',
  '1': 'basic',
  '-1': 'none',
};

/** The device behind its interface: identity, memory and state; knows nothing of HTTP. */
export class Core implements DeviceTraits {
  model: Model;
  readonly lenient: boolean;
  readonly name: string;
  readonly clock: Clock;
  readonly macAddress: string;
  readonly settings: Map<string, string>;
  readonly files = new FileManager();
  readonly keeper: StateKeeper;
  /** The bytes of uploads, for as long as they are waiting or playing: they are no files. */
  readonly recordings = new WeakMap<PlayingTone, Recording>();
  readonly scheduler: Scheduler;
  /** What the provisioning server would offer; nothing when the device is up to date. */
  readonly newFirmware: string | undefined;
  /** Console buttons by identifier; without it every identifier is a button. */
  readonly buttons: CoreOptions['buttons'];
  readonly statuses: Statuses;
  /** The URL of its panel, while it has one. */
  readonly panel: () => string | undefined;
  /** Seconds from an upload to its sound. */
  readonly uploadSeconds: number;
  firmware: string;
  /** The multicast mode in force: settings take effect only after a reload (docs/field-notes.md section 5). */
  multicastMode = '0';
  readonly #signedUri: Lock['signedUri'];

  constructor(options: CoreOptions, { changed, happened, remembered }: CoreListener) {
    this.model = options.model;
    this.firmware = options.firmware;
    this.statuses = options.statuses;
    this.uploadSeconds = options.uploadSeconds;
    this.lenient = options.lenient;
    this.name = options.name;
    this.clock = options.clock;
    this.newFirmware = options.newFirmware;
    this.buttons = options.buttons;
    this.panel = options.panel ?? (() => undefined);
    this.#signedUri = options.signedUri;
    const unique = createHash('md5').update(`${options.model.number} ${options.name}`).digest('hex');
    this.macAddress = ['00', '22', 'ee', unique.slice(0, 2), unique.slice(2, 4), unique.slice(4, 6)].join(
      ':',
    );
    this.settings = factorySettings();
    this.reload();
    this.settings.set(settingNames.method, settingOf(options.auth));
    this.settings.set(settingNames.password, options.password);
    this.keeper = new StateKeeper(options.clock, changed, happened);
    this.scheduler = new Scheduler({
      device: this,
      clock: options.clock,
      keeper: this.keeper,
      trigger: ({ event }) => {
        carryOut(event, this);
        happened(`scheduled event ${event.fields.name ?? event.evid} carried out`);
      },
      removed: remembered,
    });
  }

  /** What it has to keep from one start to the next. */
  get memory(): Memory {
    return {
      settings: new Map(this.settings),
      files: new Map(this.files.files),
      schedules: this.scheduler.database,
    };
  }

  /** Makes true again what was remembered; what is planned and in force stays until it is wound or reloaded. */
  recall({ settings, files, schedules }: Memory): void {
    this.settings.clear();
    for (const [name, value] of settings) this.settings.set(name, value);
    this.files.replaceAll(files);
    this.scheduler.database = schedules;
  }

  /** The recording that a request or an event names; nothing for the silence in place of a built-in tone. */
  audioOf(name: string): Buffer | undefined {
    const path = this.files.find(name, 'tones');
    return path === undefined || this.files.isStandIn(path) ? undefined : this.files.get(path);
  }

  hasTone(name: string): boolean {
    return this.files.tones.includes(name);
  }

  /** Before firmware 5.5 nobody can ask for files (section 4.3), nor store any but by the web page. */
  hasFile(name: string): boolean {
    return !isAtLeast(this.firmware, '5.5') || this.files.find(name) !== undefined;
  }

  /** Puts the settings in force that wait for it. */
  reload(): void {
    this.multicastMode = this.settings.get('mcast.mode') ?? '0';
  }

  /** Restarts: what a PUT has changed is kept, what a POST has started is not (section 1.3). */
  reboot(): void {
    this.keeper.restart();
    this.reload();
    this.scheduler.wind();
  }

  /** Restarts as another model or with another firmware; settings and files stay. */
  become(model: Model, firmware: string): void {
    this.model = model;
    this.firmware = firmware;
    this.reboot();
  }

  /** Factory defaults, which also switch the REST interface off (docs/field-notes.md section 3). */
  restore(): void {
    this.settings.clear();
    for (const [name, value] of factorySettings()) this.settings.set(name, value);
    this.settings.set(settingNames.interfaceEnabled, '0');
  }

  /** Whether "RESTful API enabled" is set (section 5). */
  get interfaceEnabled(): boolean {
    return this.settings.get(settingNames.interfaceEnabled) !== '0';
  }

  /** How requests have to authenticate now; follows the settings. */
  get lock(): Lock {
    const tolerance = Number(this.settings.get(settingNames.tolerance));
    return {
      method: methodBySetting[this.settings.get(settingNames.method) ?? ''] ?? 'standard',
      password: this.settings.get(settingNames.password) ?? '',
      now: Math.floor(this.clock.now() / 1000),
      tolerance: Number.isFinite(tolerance) ? tolerance : 30,
      signedUri: this.#signedUri,
    };
  }
}

function settingOf(auth: AuthenticationMethod): string {
  return Object.entries(methodBySetting).find(([, method]) => method === auth)?.[0] ?? '0';
}
