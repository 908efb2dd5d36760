import type { NodeAPI } from 'node-red';
import { registerLazy } from '../src/runtime/lazy';

export = (RED: NodeAPI): void =>
  registerLazy(RED, 'algo-supervision', () => {
    const {
      supervisionNode,
    }: typeof import('../src/runtime/supervision/supervision-node') = require('../src/runtime/supervision/supervision-node');
    const { begin }: typeof import('../src/runtime/start') = require('../src/runtime/start');
    // Otherwise the node would wait forever for the end of the deploy in flows without devices and groups.
    begin(RED);
    return supervisionNode(RED);
  });
