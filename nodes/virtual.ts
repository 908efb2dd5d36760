import type { Node, NodeAPI, NodeDef, NodeMessage } from 'node-red';
import { CommandError, carryOutCommand } from '../src/virtual-device/control/commands';
import type { VirtualDevice } from '../src/virtual-device/device';

interface VirtualDef extends NodeDef {
  readonly virtual?: string;
  /** The name of a command, or `msg` for `msg.operation`. */
  readonly operation?: string;
  readonly parametersType?: string;
  readonly parameters?: string;
}

interface VirtualDeviceNode extends Node {
  device?(): Promise<VirtualDevice>;
}

/** The key of what fits under a node; the sentence is in the error. */
function statusOf(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'failed';
  return `status.${code}`;
}

type Message = NodeMessage & { operation?: unknown };

/** An error as our other nodes have them: with a code that a Catch node can switch on. */
function failure(code: 'NOT_CONFIGURED' | 'INVALID_PARAMETER', sentence: string): Error {
  return Object.assign(new Error(sentence), { code });
}

export = (RED: NodeAPI): void => {
  async function deviceOf({ virtual }: VirtualDef): Promise<VirtualDevice> {
    const node = virtual ? (RED.nodes.getNode(virtual) as VirtualDeviceNode | null) : null;
    if (!node?.device) throw failure('NOT_CONFIGURED', 'No virtual device is chosen, or it is disabled');
    return node.device().catch((error: Error) => {
      throw failure('NOT_CONFIGURED', `The virtual device did not start: ${error.message}`);
    });
  }

  function givenIn(node: Node, { parametersType = 'json', parameters = '{}' }: VirtualDef, message: Message) {
    // Some types of parameters throw at once, others call back.
    const read = new Promise<unknown>((resolve, reject) => {
      RED.util.evaluateNodeProperty(parameters, parametersType, node, message, (error, value) => {
        if (error) reject(error);
        else resolve(value);
      });
    });
    return read.catch(({ message: why }: Error) => {
      throw failure('INVALID_PARAMETER', `The parameters cannot be read: ${why}`);
    });
  }

  function AlgoVirtual(this: Node, definition: VirtualDef): void {
    RED.nodes.createNode(this, definition);
    const { operation = 'msg' } = definition;
    const handle = async (message: Message): Promise<Message> => {
      const name = operation === 'msg' ? message.operation : operation;
      if (typeof name !== 'string' || name === '')
        throw failure('INVALID_PARAMETER', 'msg.operation must name what to do with the virtual device');
      const device = await deviceOf(definition);
      const given = await givenIn(this, definition, message);
      const result = await carryOutCommand(device, name, given).catch((error: Error) => {
        throw error instanceof CommandError ? failure('INVALID_PARAMETER', error.message) : error;
      });
      this.status({ fill: 'green', shape: 'dot', text: name });
      return result === undefined ? message : Object.assign(message, { payload: result });
    };
    this.on('input', (message, send, done) => {
      handle(message)
        .then(
          (outcome) => {
            send(outcome);
            done();
          },
          (error: Error) => {
            this.status({ fill: 'red', shape: 'ring', text: RED._(statusOf(error)) });
            done(error);
          },
        )
        // Node-RED copies the message for Catch and Complete nodes, and throws when it cannot.
        .catch((fault: unknown) => this.error(String(fault)));
    });
  }

  RED.nodes.registerType('algo-virtual', AlgoVirtual);
};
