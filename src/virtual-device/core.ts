import { createHash } from 'node:crypto';
import type { DeviceTraits } from './checks/checks';
import { defaultUploadSeconds, factoryPassword, httpStatus, settingNames } from './choices';
import type { Clock } from './clock/clock';
import type { VirtualDeviceOptions } from './device-options';
import { firmwarePattern, isAtLeast } from './product/firmware';
import { findModel, type Model } from './product/models';
import type { StoredEvent } from './schedule/database';
import { carryOut, Scheduler } from './schedule/scheduler';
import { FileManager } from './state/file-manager';
import { factorySettings } from './state/parameters';
import { type DeviceState, type PlayingTone, StateKeeper } from './state/state';
import type { Memory } from './state/store';
import type { AuthenticationMethod, Lock } from './wire/authentication';

export interface CoreListener {
  readonly changed: (part: keyof DeviceState) => void;
  /** Called with a description after the device acted by itself. */
  readonly happened: (words: string) => void;
  /** Called after the device changed its permanent state by itself. */
  readonly remembered: () => void;
  /** Called when a scheduled event is due, to send the requests of its `api_call`. */
  readonly calling: (event: StoredEvent) => void;
}

export interface Recording {
  readonly audio: Buffer;
  /** Arrival in device time, in epoch milliseconds. */
  readonly at: number;
}

const methodBySetting: Readonly<Record<string, AuthenticationMethod>> = {
  '0': 'standard',
  '1': 'basic',
  '-1': 'none',
};

/** The device without its HTTP interface: identity, permanent memory and state. */
export class Core implements DeviceTraits {
  model: Model;
  readonly lenient: boolean;
  readonly name: string;
  readonly host: string;
  readonly clock: Clock;
  readonly macAddress: string;
  readonly settings: Map<string, string>;
  readonly files = new FileManager();
  readonly keeper: StateKeeper;
  /** The bytes of waiting or playing uploads, which are not in the file manager. */
  readonly recordings = new WeakMap<PlayingTone, Recording>();
  readonly scheduler: Scheduler;
  /** The version that the provisioning server offers; undefined if the device is up to date. */
  readonly newFirmware: string | undefined;
  /** Whether the request that is carried out announces an upgrade only, because of a fault. */
  keepsFirmware = false;
  /** Event types of the console buttons, keyed by identifier; if undefined, every identifier is a button. */
  readonly buttons: VirtualDeviceOptions['buttons'];
  /** HTTP statuses that the interface document does not show and that options can change. */
  readonly statuses: { readonly forbidden: number; readonly interfaceOff: number };
  readonly panel: () => string | undefined;
  readonly uploadSeconds: number;
  firmware: string;
  /**
   * The active multicast mode: a change of the setting takes effect only after a reload (docs/field-notes.md
   * section 5).
   */
  multicastMode = '0';
  readonly #signedUri: Lock['signedUri'];

  /** @throws Error for an unknown model or firmware */
  constructor(
    options: VirtualDeviceOptions,
    clock: Clock,
    { changed, happened, remembered, calling }: CoreListener,
  ) {
    const { model = '8301', firmware = '5.7', lenient = false, host = '127.0.0.1' } = options;
    this.model = knownModel(model, firmware);
    this.firmware = firmware;
    this.statuses = {
      forbidden: options.unauthorizedStatus ?? httpStatus.forbidden,
      interfaceOff: options.apiOffStatus ?? httpStatus.forbidden,
    };
    this.uploadSeconds = options.uploadSeconds ?? defaultUploadSeconds;
    this.lenient = lenient;
    this.name = options.name ?? this.model.productName;
    this.host = host;
    this.clock = clock;
    this.newFirmware = options.newFirmware;
    this.buttons = options.buttons;
    this.panel = options.panel ?? (() => undefined);
    this.#signedUri = lenient ? 'either' : options.signQuery ? 'target' : 'path';
    const unique = createHash('md5').update(`${this.model.number} ${this.name}`).digest('hex');
    this.macAddress = ['00', '22', 'ee', unique.slice(0, 2), unique.slice(2, 4), unique.slice(4, 6)].join(
      ':',
    );
    this.settings = factorySettings();
    this.reload();
    this.settings.set(settingNames.method, settingOf(options.auth ?? 'standard'));
    this.settings.set(settingNames.password, options.password ?? factoryPassword);
    this.keeper = new StateKeeper(clock, changed, happened);
    this.scheduler = new Scheduler({
      device: this,
      clock,
      keeper: this.keeper,
      trigger: ({ event }) => {
        carryOut(event, this);
        if (event.fields.event_type === 'api_call') calling(event);
        happened(`scheduled event ${event.fields.name ?? event.evid} carried out`);
      },
      removed: remembered,
    });
  }

  get memory(): Memory {
    return {
      settings: new Map(this.settings),
      files: new Map(this.files.files),
      schedules: this.scheduler.database,
    };
  }

  /**
   * Replaces the permanent state. The timer of the next event and the active multicast mode do not change.
   */
  restoreMemory({ settings, files, schedules }: Memory): void {
    this.settings.clear();
    for (const [name, value] of settings) this.settings.set(name, value);
    this.files.replaceAll(files);
    this.scheduler.database = schedules;
  }

  /**
   * Returns the recording with this name; undefined if no file has the name, and for a pre-loaded
   * tone, which is silent here.
   */
  audioOf(name: string): Buffer | undefined {
    const path = this.files.find(name, 'tones');
    return path === undefined || this.files.isStandIn(path) ? undefined : this.files.get(path);
  }

  hasTone(name: string): boolean {
    return this.files.tones.includes(name);
  }

  /**
   * Whether a file exists. Always true before firmware 5.5, since files reach such a device only over its web
   * page (section 4.3).
   */
  hasFile(name: string): boolean {
    return !isAtLeast(this.firmware, '5.5') || this.files.find(name) !== undefined;
  }

  /** Applies the settings that take effect only after a reload. */
  reload(): void {
    this.multicastMode = this.settings.get('mcast.mode') ?? '0';
  }

  /** Restarts the device. Values written by PUT stay; activities started by POST end (section 1.3). */
  reboot(): void {
    this.keeper.restart();
    this.reload();
    this.scheduler.scheduleNext();
  }

  /** @throws Error for an unknown model or firmware */
  restartAs(model: string, firmware: string): void {
    this.model = knownModel(model, firmware);
    this.firmware = firmware;
    this.reboot();
  }

  /** Restores the factory settings, but disables the REST interface (docs/field-notes.md section 3). */
  restore(): void {
    this.settings.clear();
    for (const [name, value] of factorySettings()) this.settings.set(name, value);
    this.settings.set(settingNames.interfaceEnabled, '0');
  }

  get interfaceEnabled(): boolean {
    return this.settings.get(settingNames.interfaceEnabled) !== '0';
  }

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

function knownModel(written: string, firmware: string): Model {
  const model = findModel(written);
  if (!model) throw new Error(`unknown model: ${written}`);
  if (!firmwarePattern.test(firmware)) throw new Error(`the firmware version is not valid: ${firmware}`);
  return model;
}
