import type { Node, NodeAPI, NodeDef, NodeMessage } from 'node-red';
import type { CommandDefinition, CommandHost } from '../src/virtual-device/node/command-node';

type CommandNodeModule = typeof import('../src/virtual-device/node/command-node');

export = (RED: NodeAPI): void => {
  function AlgoVirtual(this: Node, definition: NodeDef & CommandDefinition): void {
    RED.nodes.createNode(this, definition);
    const host: CommandHost<NodeMessage> = {
      find: (id) => RED.nodes.getNode(id),
      // `evaluateNodeProperty` throws an error for some types, and passes the error to the callback for
      // other types.
      evaluate: (parameters, type, message) =>
        new Promise((resolve, reject) => {
          RED.util.evaluateNodeProperty(parameters, type, this, message, (error, value) => {
            if (error) reject(error);
            else resolve(value);
          });
        }),
      words: (key) => RED._(key),
      now: () => new Date(),
    };
    // The module is loaded on demand, since most flows have no virtual device.
    const { commandHandler }: CommandNodeModule = require('../src/virtual-device/node/command-node');
    this.on('input', commandHandler(host, this, definition));
  }

  RED.nodes.registerType('algo-virtual', AlgoVirtual);
};
