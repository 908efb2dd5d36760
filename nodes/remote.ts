import type { Node, NodeAPI, NodeDef } from 'node-red';

type RemoteModule = typeof import('../src/runtime/sites/remote-node');

export = (RED: NodeAPI): void => {
  RED.nodes.registerType('algo-remote', function (this: Node, definition: NodeDef) {
    RED.nodes.createNode(this, definition);
    // Flows at one site do without its modules.
    const { openRemote }: RemoteModule = require('../src/runtime/sites/remote-node');
    openRemote(RED, this, definition);
  });
};
