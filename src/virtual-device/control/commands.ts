import { CallError, type CallFailure } from '../calls/result';
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
} from '../checks/checks';
import type { VirtualDevice } from '../device';
import { faultRule } from '../faults/fault';
import { findModel } from '../product/models';
import { callMethod, callPath } from '../schedule/fields';

/**
 * A command that is not part of the device's HTTP interface. `run` throws an error, or rejects with an error,
 * whose message is for the user.
 */
interface Command {
  run(device: VirtualDevice, given: unknown): unknown;
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
export type CommandCode =
  | 'INVALID_PARAMETER'
  | 'QUEUE_FULL'
  | 'ABORTED'
  | 'UNREACHABLE'
  | 'TIMEOUT'
  | 'PROTOCOL';

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

const commands = {
  fault: command(faultRule, ({ controls }, rule) => ({ id: controls.addFault(rule) })),
  'clear-faults': command(object({ id: optional(integer) }), ({ controls }, { id }) =>
    controls.removeFault(id),
  ),
  seed: command(object({ seed: required(integer) }), ({ controls }, { seed }) => controls.seed(seed)),
  input: command(
    object({ name: optional(oneOf('relay', 'relay1', 'relay2')), state: required(inputState) }),
    ({ controls }, { name = 'relay', state }) => controls.setInput(name, inputTexts[state]),
  ),
  press: command(object({ id: required(nonEmptyText) }), ({ controls }, { id }) => controls.press(id)),
  clock: command(object({ ahead: required(ahead) }), ({ controls }, { ahead: seconds }) =>
    controls.shiftClock(seconds),
  ),
  speed: command(object({ factor: required(speed) }), ({ controls }, { factor }) =>
    controls.setSpeed(factor),
  ),
  'next-event': command(object({}), ({ controls }) => controls.toNextEvent()),
  password: command(object({ password: required(nonEmptyText) }), ({ controls }, { password }) =>
    controls.setPassword(password),
  ),
  api: command(object({ on: required(flag) }), ({ controls }, { on }) => controls.setInterface(on)),
  storage: command(object({ full: required(flag) }), ({ controls }, { full }) => controls.setFull(full)),
  certificate: command(object({}), ({ controls }) => controls.renewCertificate()),
  reboot: command(object({ seconds: optional(integerFrom(0, 3600)) }), ({ controls }, { seconds }) =>
    controls.reboot(seconds),
  ),
  become: command(
    object({ model: required(nonEmptyText), firmware: required(nonEmptyText) }),
    ({ controls }, { model, firmware }) => controls.become(model, firmware),
  ),
  call: command(
    object({
      method: optional(callMethod),
      target: required(nonEmptyText),
      path: optional(callPath),
      payload: optional(payload),
      auth: optional(oneOf('standard', 'basic', 'none')),
    }),
    ({ controls }, { method = 'POST', target, path = '/', payload: content, auth = 'standard' }) =>
      controls.call({ method, target, path, auth, payload: payloadText(content) }),
  ),
  state: command(object({}), (device) => device.snapshot()),
} satisfies Readonly<Record<string, Command>>;

export const commandNames: readonly string[] = Object.keys(commands);

/** Carries out a command by its name. Rejects with a CommandError, whose message is for the user. */
export async function carryOutCommand(device: VirtualDevice, name: string, given: unknown): Promise<unknown> {
  const found = Object.entries<Command>(commands).find(([own]) => own === name)?.[1];
  if (!found)
    throw new CommandError(
      `the command ${JSON.stringify(name)} does not exist; known commands: ${commandNames.join(', ')}`,
    );
  try {
    return await found.run(device, given ?? {});
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

function callFailure({ outcome, message, state }: CallError): CommandError {
  const code = state === 'full' ? 'QUEUE_FULL' : state === 'stopped' ? 'ABORTED' : codes[outcome];
  return new CommandError(`the call was ${callWords[outcome]}: ${message}`, code);
}

function command<T>(check: Check<T>, run: (device: VirtualDevice, given: T) => unknown): Command {
  return {
    run(device, given) {
      const mistakes = check(given, '', placeholderDevice);
      if (mistakes.length > 0) throw new CommandError(sentence(mistakes).replace('the body', 'the command'));
      return run(device, given as T);
    },
  };
}
