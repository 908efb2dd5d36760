import { CommandError, carryOutCommand } from '../control/commands';
import type { VirtualDevice } from '../device';

/** What of a node's definition is read here. */
export interface CommandDefinition {
  /** The config node of the device. */
  readonly virtual?: string;
  /** The name of a command, or `msg` for `msg.operation`. */
  readonly operation?: string;
  readonly parametersType?: string;
  readonly parameters?: string;
}

/** What of a node is used here. */
export interface CommandNode {
  status(shown: { fill: 'green' | 'red'; shape: 'dot' | 'ring'; text: string }): void;
  error(words: string): void;
}

/** What of Node-RED is used here. */
export interface CommandHost<M extends object> {
  /** The config node of that id, if there is one. */
  find(id: string): unknown;
  /** What the parameters of a node are for a message; rejects when they cannot be read. */
  evaluate(parameters: string, type: string, message: M): Promise<unknown>;
  /** The words for a key of the node's locale. */
  words(key: string): string;
  now(): Date;
}

type Message = { operation?: unknown };

/**
 * What an `algo-virtual` node does with a message: a command for its virtual device, whose result becomes the
 * payload. `done` is called once, with an error that has a code when the command was not carried out.
 */
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
      // Node-RED copies the message for Catch and Complete nodes, and throws when it cannot.
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
    throw failure('INVALID_PARAMETER', 'msg.operation must name what to do with the virtual device');
  const device = await deviceOf(host, definition);
  const given = await host.evaluate(parameters, parametersType, message).catch(({ message: why }: Error) => {
    throw failure('INVALID_PARAMETER', `The parameters cannot be read: ${why}`);
  });
  const result = await carryOutCommand(device, name, given).catch((error: Error) => {
    throw error instanceof CommandError ? failure('INVALID_PARAMETER', error.message) : error;
  });
  return { name, result };
}

interface DeviceOwner {
  device?(): Promise<VirtualDevice>;
}

async function deviceOf<M extends object>(
  host: CommandHost<M>,
  { virtual }: CommandDefinition,
): Promise<VirtualDevice> {
  const owner = virtual ? (host.find(virtual) as DeviceOwner | null | undefined) : undefined;
  if (!owner?.device) throw failure('NOT_CONFIGURED', 'No virtual device is chosen, or it is disabled');
  return owner.device().catch((error: Error) => {
    throw failure('NOT_CONFIGURED', `The virtual device did not start: ${error.message}`);
  });
}

/** An error as our other nodes have them: with a code that a Catch node can switch on. */
function failure(code: 'NOT_CONFIGURED' | 'INVALID_PARAMETER', sentence: string): Error {
  return Object.assign(new Error(sentence), { code });
}

/** The key of what fits under a node; the sentence is in the error. */
function statusOf(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'failed';
  return `status.${code}`;
}

/** As below our other nodes, so that the second of two messages can be told from the first. */
function timeOf(at: Date): string {
  return [at.getHours(), at.getMinutes(), at.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
