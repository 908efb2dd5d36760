import { settingNames } from '../choices';
import type { DeviceClock } from '../clock/device-clock';
import type { Core } from '../core';
import type { FaultRule } from '../faults/fault';
import type { FaultInjector } from '../faults/injector';
import { firmwarePattern } from '../product/firmware';
import { findModel } from '../product/models';
import { pressButton } from '../routes/console';
import type { InputName } from '../state/state';
import { makeCertificate } from '../wire/certificate';
import type { DeviceServer } from '../wire/server';

export interface ControlsOptions {
  readonly core: Core;
  readonly clock: DeviceClock;
  readonly injector: FaultInjector;
  readonly host: string;
  /** The running server, if any. */
  readonly server: () => DeviceServer | undefined;
  /** Is away for that long, in milliseconds of the device's time. */
  readonly restart: (ms: number | undefined) => void;
  /** Does what changes the device for good. Throws when it cannot be kept. */
  readonly permanently: (change: () => void) => void;
  /** Tells that something other than the state has changed. */
  readonly changed: () => void;
}

/**
 * What a person or a test does to a device apart from its interface: wires, buttons, time and faults.
 * Methods throw an Error with a sentence for a person.
 */
export class Controls {
  readonly #options: ControlsOptions;

  constructor(options: ControlsOptions) {
    this.#options = options;
  }

  /** Adds a fault, and returns the id by which it can be taken away again. */
  addFault(rule: FaultRule): number {
    const id = this.#options.injector.add(rule);
    this.#options.changed();
    return id;
  }

  /** Takes a fault away, or all of them. */
  removeFault(id?: number): void {
    const found = this.#options.injector.remove(id);
    this.#options.changed();
    if (!found && id !== undefined) throw new Error(`there is no fault ${id}`);
  }

  /** Restarts the sequence of chances, so that it can be repeated. */
  seed(seed: number): void {
    this.#options.injector.seed(seed);
  }

  /** Puts a text on a relay input, such as `active (Normally Open)`, `idle` or `Disabled` (section 2.5). */
  setInput(name: InputName, text: string): void {
    const { keeper } = this.#options.core;
    keeper.set('inputs', { ...keeper.state.inputs, [name]: text });
  }

  /** Presses a button of the 8450 with a finger. */
  press(id: string): void {
    const { core } = this.#options;
    if (core.model.number !== '8450') throw new Error(`model ${core.model.number} has no console buttons`);
    const problem = pressButton(core, id);
    if (problem !== undefined) throw new Error(problem);
  }

  /** Puts the clock ahead of right time, or behind it, in seconds. */
  shiftClock(seconds: number): void {
    const { clock, core } = this.#options;
    core.keeper.shiftDeadlines(seconds * 1000 - clock.shift);
    clock.shift = seconds * 1000;
    core.scheduler.wind();
    this.#options.changed();
  }

  /** Lets time run that many times as fast. */
  setSpeed(factor: number): void {
    this.#options.clock.speed = factor;
    this.#options.changed();
  }

  /** Moves the clock to five seconds before the next scheduled event. */
  toNextEvent(): void {
    const { clock, core } = this.#options;
    const next = core.scheduler.next;
    if (!next) throw new Error('nothing is scheduled within a week');
    this.shiftClock((clock.shift + next.at - clock.now()) / 1000 - 5);
  }

  /** Changes the API password, as somebody at the device's web page would. */
  setPassword(password: string): void {
    this.#set(settingNames.password, password);
  }

  /** Switches the RESTful API on or off (section 5). */
  setInterface(isOn: boolean): void {
    this.#set(settingNames.interfaceEnabled, isOn ? '1' : '0');
  }

  /** Lets every further upload find the storage full, or not any more. */
  setFull(isFull: boolean): void {
    this.#options.core.files.isFull = isFull;
    this.#options.changed();
  }

  /** Shows another certificate from now on. */
  async renewCertificate(): Promise<void> {
    const { server, host } = this.#options;
    const certificate = await makeCertificate(host);
    const running = server();
    if (!running?.address.startsWith('https:')) throw new Error('this device speaks plain http');
    running.renew(certificate);
  }

  /** Reboots; away for that many seconds of the device's time, or as long as it was told at its start. */
  reboot(seconds?: number): void {
    this.#options.restart(seconds === undefined ? undefined : seconds * 1000);
  }

  /** Makes another model or firmware of it, which restarts. Stored values stay. */
  become(written: string, firmware: string): void {
    const { core, changed } = this.#options;
    const model = findModel(written);
    if (!model) throw new Error(`there is no model ${written}`);
    if (!firmwarePattern.test(firmware)) throw new Error(`a firmware cannot be called ${firmware}`);
    core.become(model, firmware);
    changed();
  }

  #set(name: string, value: string): void {
    const { core, permanently, changed } = this.#options;
    permanently(() => core.settings.set(name, value));
    changed();
  }
}
