import type { Node, NodeAPI, NodeDef } from 'node-red';

type SiteModule = typeof import('../src/runtime/sites/site-node');

export = (RED: NodeAPI): void => {
  RED.nodes.registerType('algo-site', function (this: Node, definition: NodeDef) {
    RED.nodes.createNode(this, definition);
    // Flows at one site do without its modules.
    const { openSite }: SiteModule = require('../src/runtime/sites/site-node');
    openSite(RED, this, definition);
  });
};
