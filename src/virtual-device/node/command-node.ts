import { type CommandCode, CommandError } from '../commands';
import type { VirtualDevice } from '../device';

export interface CommandDefinition {
  readonly virtual?: string;
  /** Name of a command; `msg` if `msg.operation` names the command. */
  readonly operation?: string;
  readonly parametersType?: string;
  readonly parameters?: string;
}

export interface CommandNode {
  status(shown: { fill: 'green' | 'red'; shape: 'dot' | 'ring'; text: string }): void;
  error(words: string): void;
}

export interface CommandHost<M extends object> {
  find(id: string): unknown;
  /** Returns the parameters of a node for a message; rejects if the parameters cannot be read. */
  evaluate(parameters: string, type: string, message: M): Promise<unknown>;
  words(key: string): string;
  now(): Date;
}

type Message = { operation?: unknown };

/** If the command has a result, the result becomes the payload. */
export function commandHandler<M extends object>(
  host: CommandHost<M>,
  node: CommandNode,
  definition: CommandDefinition,
): (message: M, send: (message: M) => void, done: (error?: Error) => void) => void {
  const timed = (words: string) => `${words} ${timeOf(host.now())}`;
  return (message, send, done) => {
    carryOut(host, definition, message)
      .then(
        ({ name, result }) => {
          node.status({ fill: 'green', shape: 'dot', text: timed(name) });
          send(result === undefined ? message : Object.assign(message, { payload: result }));
          done();
        },
        (error: Error) => {
          node.status({ fill: 'red', shape: 'ring', text: timed(host.words(statusOf(error))) });
          done(error);
        },
      )
      // `done` throws if Node-RED cannot copy the message for Catch and Complete nodes.
      .catch((fault: unknown) => node.error(String(fault)));
  };
}

async function carryOut<M extends object>(
  host: CommandHost<M>,
  definition: CommandDefinition,
  message: M,
): Promise<{ name: string; result: unknown }> {
  const { operation = 'msg', parametersType = 'json', parameters = '{}' } = definition;
  const name = operation === 'msg' ? (message as Message).operation : operation;
  if (typeof name !== 'string' || name === '')
    throw failure('INVALID_PARAMETER', 'msg.operation must be a command of the virtual device');
  const device = await deviceOf(host, definition);
  const given = await host.evaluate(parameters, parametersType, message).catch(({ message: why }: Error) => {
    throw failure('INVALID_PARAMETER', `The parameters cannot be read: ${withoutQuote(why)}`);
  });
  const result = await device.carryOut(name, given).catch((error: Error) => {
    throw error instanceof CommandError ? failure(error.code, error.message) : error;
  });
  return { name, result };
}

/** Removes the value that an error quotes, since the value might be a secret. */
function withoutQuote(reason: string): string {
  return reason.replace(/".*"/s, '"***"');
}

interface DeviceOwner {
  device?(): Promise<VirtualDevice>;
}

async function deviceOf<M extends object>(
  host: CommandHost<M>,
  { virtual }: CommandDefinition,
): Promise<VirtualDevice> {
  const owner = virtual ? (host.find(virtual) as DeviceOwner | null | undefined) : undefined;
  if (!owner?.device) throw failure('NOT_CONFIGURED', 'No virtual device is selected, or it is disabled');
  return owner.device().catch((error: Error) => {
    throw failure('NOT_CONFIGURED', `The virtual device did not start: ${error.message}`);
  });
}

function failure(code: 'NOT_CONFIGURED' | CommandCode, sentence: string): Error {
  return Object.assign(new Error(sentence), { code });
}

function statusOf(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'failed';
  return `status.${code}`;
}

/** Returns the time for the status text, so that a second command with the same result is visible. */
function timeOf(at: Date): string {
  return [at.getHours(), at.getMinutes(), at.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
