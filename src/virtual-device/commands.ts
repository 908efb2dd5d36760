import type { Caller } from './calls/caller';
import { signaturePlaceholder } from './calls/header-text';
import { CallError, type CallFailure } from './calls/result';
import {
  type Check,
  flag,
  integer,
  integerFrom,
  nonEmptyText,
  object,
  oneOf,
  optional,
  required,
  rule,
  sentence,
} from './checks/checks';
import { adminName, settingNames } from './choices';
import type { DeviceClock } from './clock/device-clock';
import type { Core } from './core';
import { faultRule } from './faults/fault';
import type { FaultInjector } from './faults/injector';
import { findModel } from './product/models';
import { pressButton } from './routes/console';
import { callMethod, callPath } from './schedule/fields';
import type { AuthenticationMethod } from './wire/authentication';
import { makeCertificate } from './wire/certificate';
import { readJsonText } from './wire/json-text';
import type { DeviceServer } from './wire/server';

/**
 * A command that is not part of the device's HTTP interface. `run` throws an error, or rejects with an error,
 * whose message is for the user.
 */
interface Command {
  run(device: Controlled, given: unknown): unknown;
}

/** A placeholder for the device that checks require. The fields of commands are the same for every device. */
const placeholderDevice = {
  model: findModel('8301') as NonNullable<ReturnType<typeof findModel>>,
  firmware: '5.7',
  lenient: false,
  hasTone: () => true,
  hasFile: () => true,
};

/** The codes of failed commands. The package's other nodes use the same codes. */
export type CommandCode = 'INVALID_PARAMETER' | 'ABORTED' | 'UNREACHABLE' | 'TIMEOUT' | 'PROTOCOL';

export class CommandError extends Error {
  constructor(
    message: string,
    readonly code: CommandCode = 'INVALID_PARAMETER',
  ) {
    super(message);
  }
}

const codes: Readonly<Record<CallFailure, CommandCode>> = {
  'not-sent': 'INVALID_PARAMETER',
  unreachable: 'UNREACHABLE',
  'timed-out': 'TIMEOUT',
  invalid: 'PROTOCOL',
  broken: 'PROTOCOL',
};

/** Maximum clock offset in seconds, about thirty years, so that the device time stays a valid date. */
const maxAheadS = 1_000_000_000;

const ahead: Check<number> = rule(
  `a number of seconds from -${maxAheadS} to ${maxAheadS}`,
  (value) => typeof value === 'number' && Math.abs(value) <= maxAheadS,
);

const speed: Check<number> = rule(
  'a number from 0.1 to 100000',
  (value) => typeof value === 'number' && value >= 0.1 && value <= 100_000,
);

const inputTexts = {
  open: 'idle',
  closed: 'active (Normally Open)',
  disabled: 'Disabled',
} as const;
const inputState = oneOf('open', 'closed', 'disabled');

const payload: Check<unknown> = rule('a text or JSON', (value) => typeof value !== 'function');

function payloadText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The parts of a device on which commands act. */
export interface Controlled {
  readonly core: Core;
  readonly clock: DeviceClock;
  readonly injector: FaultInjector;
  readonly caller: Caller;
  readonly server: () => DeviceServer | undefined;
  readonly snapshot: () => unknown;
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
  /** Called after a command, since a panel shows faults, time and identity. */
  readonly changed: () => void;
}

const commands = {
  fault: command(faultRule, ({ injector }, rule) => ({ id: injector.add(rule) })),
  'clear-faults': command(object({ id: optional(integer) }), ({ injector }, { id }) => {
    if (!injector.remove(id) && id !== undefined) throw new Error(`there is no fault ${id}`);
  }),
  // Restarts the sequence of random numbers, so that faults are reproducible.
  seed: command(object({ seed: required(integer) }), ({ injector }, { seed }) => injector.seed(seed)),
  input: command(
    object({ name: optional(oneOf('relay', 'relay1', 'relay2')), state: required(inputState) }),
    ({ core: { keeper } }, { name = 'relay', state }) =>
      keeper.set('inputs', { ...keeper.state.inputs, [name]: inputTexts[state] }),
  ),
  press: command(object({ id: required(nonEmptyText) }), ({ core }, { id }) => {
    if (core.model.number !== '8450') throw new Error(`model ${core.model.number} has no console buttons`);
    const problem = pressButton(core, id);
    if (problem !== undefined) throw new Error(problem);
  }),
  clock: command(object({ ahead: required(ahead) }), (device, { ahead: seconds }) =>
    shiftClock(device, seconds),
  ),
  speed: command(object({ factor: required(speed) }), ({ clock }, { factor }) => {
    clock.speed = factor;
  }),
  // Moves the clock to five seconds before the next scheduled event.
  'next-event': command(object({}), (device) => {
    const { clock, core } = device;
    const { next } = core.scheduler;
    if (!next) throw new Error('nothing is scheduled within a week');
    shiftClock(device, (clock.shift + next.at - clock.now()) / 1000 - 5);
  }),
  password: command(object({ password: required(nonEmptyText) }), (device, { password }) =>
    set(device, settingNames.password, password),
  ),
  api: command(object({ on: required(flag) }), (device, { on }) =>
    set(device, settingNames.interfaceEnabled, on ? '1' : '0'),
  ),
  storage: command(object({ full: required(flag) }), ({ core }, { full }) => {
    core.files.isFull = full;
  }),
  certificate: command(object({}), async ({ core, server }) => {
    const certificate = await makeCertificate(core.host);
    const running = server();
    if (!running?.address.startsWith('https:')) throw new Error('this device uses plain http');
    running.renew(certificate);
  }),
  reboot: command(object({ seconds: optional(integerFrom(0, 3600)) }), ({ restart }, { seconds }) =>
    restart(seconds === undefined ? undefined : seconds * 1000),
  ),
  become: command(
    object({ model: required(nonEmptyText), firmware: required(nonEmptyText) }),
    ({ core }, { model, firmware }) => core.restartAs(model, firmware),
  ),
  call: command(
    object({
      method: optional(callMethod),
      target: required(nonEmptyText),
      path: optional(callPath),
      payload: optional(payload),
      auth: optional(oneOf('standard', 'basic', 'none')),
    }),
    ({ caller, core }, { method = 'POST', target, path = '/', payload: content, auth = 'standard' }) => {
      const text = payloadText(content);
      const header = headerOf(auth, core.lock.password, text);
      return caller.call({ method, target, path, header, payload: text });
    },
  ),
  state: command(object({}), ({ snapshot }) => snapshot()),
} satisfies Readonly<Record<string, Command>>;

function shiftClock({ clock, core }: Controlled, seconds: number): void {
  core.keeper.shiftDeadlines(seconds * 1000 - clock.shift);
  clock.shift = seconds * 1000;
  core.scheduler.scheduleNext();
}

function set({ core, permanently }: Controlled, name: string, value: string): void {
  permanently(() => core.settings.set(name, value));
}

/** Returns the header text of a call, with its login. */
function headerOf(auth: AuthenticationMethod, password: string, content: string | undefined): string {
  const basic = Buffer.from(`${adminName}:${password}`, 'utf8').toString('base64');
  const lines = [
    ...(auth === 'standard' ? [signaturePlaceholder] : []),
    ...(auth === 'basic' ? [`Authorization: Basic ${basic}`] : []),
    ...(content ? [`Content-Type: ${isJson(content) ? 'application/json' : 'text/plain'}`] : []),
  ];
  return lines.join('\r\n');
}

function isJson(text: string): boolean {
  try {
    readJsonText(Buffer.from(text));
    return true;
  } catch {
    return false;
  }
}

export const commandNames: readonly string[] = Object.keys(commands);

/** Carries out a command by its name. Rejects with a CommandError, whose message is for the user. */
export async function carryOutCommand(device: Controlled, name: string, given: unknown): Promise<unknown> {
  const found = Object.entries<Command>(commands).find(([own]) => own === name)?.[1];
  if (!found)
    throw new CommandError(
      `the command ${JSON.stringify(name)} does not exist; known commands: ${commandNames.join(', ')}`,
    );
  try {
    const result = found.run(device, given ?? {});
    device.changed();
    return await result;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const { message } = error as Error;
    throw error instanceof CallError ? callFailure(error) : new CommandError(message);
  }
}

/** The failures of calls, as the end of a sentence that starts with "the call was". */
const callWords: Readonly<Record<CallFailure, string>> = {
  'not-sent': 'not sent',
  unreachable: 'not sent, since there was no connection',
  'timed-out': 'sent, but not answered in time',
  invalid: 'sent, but the answer is not HTTP',
  broken: 'sent, but the connection ended before the answer did',
};

function callFailure({ outcome, message, isAborted }: CallError): CommandError {
  const code = isAborted ? 'ABORTED' : codes[outcome];
  return new CommandError(`the call was ${callWords[outcome]}: ${message}`, code);
}

function command<T>(check: Check<T>, run: (device: Controlled, given: T) => unknown): Command {
  return {
    run(device, given) {
      const mistakes = check(given, '', placeholderDevice);
      if (mistakes.length > 0) throw new CommandError(sentence(mistakes).replace('the body', 'the command'));
      return run(device, given as T);
    },
  };
}
