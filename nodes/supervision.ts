import type { NodeAPI } from 'node-red';
import { registerLazy } from '../src/runtime/lazy';

export = (RED: NodeAPI): void =>
  registerLazy(RED, 'algo-supervision', () => {
    const {
      supervisionNode,
    }: typeof import('../src/runtime/supervision/supervision-node') = require('../src/runtime/supervision/supervision-node');
    return supervisionNode(RED);
  });
