import type { Call } from '../calls/call';
import type { Caller } from '../calls/caller';
import { signaturePlaceholder } from '../calls/header-text';
import { adminName, settingNames } from '../choices';
import type { DeviceClock } from '../clock/device-clock';
import type { Core } from '../core';
import type { FaultRule } from '../faults/fault';
import type { FaultInjector } from '../faults/injector';
import { firmwarePattern } from '../product/firmware';
import { findModel } from '../product/models';
import { pressButton } from '../routes/console';
import type { InputName } from '../state/state';
import type { AuthenticationMethod } from '../wire/authentication';
import { makeCertificate } from '../wire/certificate';
import { readJsonText } from '../wire/json-text';
import type { DeviceServer } from '../wire/server';

export interface ControlsOptions {
  readonly core: Core;
  readonly clock: DeviceClock;
  readonly injector: FaultInjector;
  readonly caller: Caller;
  readonly host: string;
  readonly server: () => DeviceServer | undefined;
  /**
   * Restarts the device. `ms` is the time without an answer, in milliseconds of the device's clock; undefined
   * for the default time.
   */
  readonly restart: (ms: number | undefined) => void;
  /**
   * Makes a permanent change.
   * @throws NotStoredError if the change cannot be stored
   */
  readonly permanently: (change: () => void) => void;
  /** Called after a change that is not part of the state, such as a fault or the clock. */
  readonly changed: () => void;
}

/** A call as a command. The authentication method `auth` determines the header of the call. */
export interface CallCommand extends Omit<Call, 'header'> {
  readonly auth: AuthenticationMethod;
}

/**
 * Controls of a device that are not part of its HTTP interface, such as buttons, time and faults. Their
 * errors have a message for the user.
 */
export class Controls {
  readonly #options: ControlsOptions;

  constructor(options: ControlsOptions) {
    this.#options = options;
  }

  addFault(rule: FaultRule): number {
    const id = this.#options.injector.add(rule);
    this.#options.changed();
    return id;
  }

  removeFault(id?: number): void {
    const found = this.#options.injector.remove(id);
    this.#options.changed();
    if (!found && id !== undefined) throw new Error(`there is no fault ${id}`);
  }

  /** Restarts the sequence of random numbers, so that faults are reproducible. */
  seed(seed: number): void {
    this.#options.injector.seed(seed);
  }

  /** Sets the text of a relay input, such as `active (Normally Open)`, `idle` or `Disabled` (section 2.5). */
  setInput(name: InputName, text: string): void {
    const { keeper } = this.#options.core;
    keeper.set('inputs', { ...keeper.state.inputs, [name]: text });
  }

  press(id: string): void {
    const { core } = this.#options;
    if (core.model.number !== '8450') throw new Error(`model ${core.model.number} has no console buttons`);
    const problem = pressButton(core, id);
    if (problem !== undefined) throw new Error(problem);
  }

  shiftClock(seconds: number): void {
    const { clock, core } = this.#options;
    core.keeper.shiftDeadlines(seconds * 1000 - clock.shift);
    clock.shift = seconds * 1000;
    core.scheduler.scheduleNext();
    this.#options.changed();
  }

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

  setPassword(password: string): void {
    this.#set(settingNames.password, password);
  }

  setInterface(isOn: boolean): void {
    this.#set(settingNames.interfaceEnabled, isOn ? '1' : '0');
  }

  setFull(isFull: boolean): void {
    this.#options.core.files.isFull = isFull;
    this.#options.changed();
  }

  async renewCertificate(): Promise<void> {
    const { server, host } = this.#options;
    const certificate = await makeCertificate(host);
    const running = server();
    if (!running?.address.startsWith('https:')) throw new Error('this device uses plain http');
    running.renew(certificate);
  }

  /**
   * Restarts the device.
   * @param seconds time without an answer, in seconds of the device's clock; default: the option `rebootMs`
   */
  reboot(seconds?: number): void {
    this.#options.restart(seconds === undefined ? undefined : seconds * 1000);
  }

  /** Changes model and firmware, and restarts the device. The permanent state stays. */
  become(written: string, firmware: string): void {
    const { core, changed } = this.#options;
    const model = findModel(written);
    if (!model) throw new Error(`unknown model: ${written}`);
    if (!firmwarePattern.test(firmware)) throw new Error(`the firmware version is not valid: ${firmware}`);
    core.restartAs(model, firmware);
    changed();
  }

  async call({ auth, ...call }: CallCommand): Promise<{ readonly status: number; readonly body: string }> {
    const { caller, core } = this.#options;
    const { password } = core.lock;
    const basic = Buffer.from(`${adminName}:${password}`, 'utf8').toString('base64');
    const lines = [
      ...(auth === 'standard' ? [signaturePlaceholder] : []),
      ...(auth === 'basic' ? [`Authorization: Basic ${basic}`] : []),
      ...(call.payload ? [`Content-Type: ${isJson(call.payload) ? 'application/json' : 'text/plain'}`] : []),
    ];
    const { status, body } = await caller.call({ ...call, header: lines.join('\r\n') });
    return { status, body };
  }

  #set(name: string, value: string): void {
    const { core, permanently, changed } = this.#options;
    permanently(() => core.settings.set(name, value));
    changed();
  }
}

function isJson(text: string): boolean {
  try {
    readJsonText(Buffer.from(text));
    return true;
  } catch {
    return false;
  }
}
