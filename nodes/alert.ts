import type { NodeAPI } from 'node-red';
import { registerLazy } from '../src/runtime/lazy';

export = (RED: NodeAPI): void =>
  registerLazy(RED, 'algo-alert', () => {
    const {
      alertNode,
    }: typeof import('../src/runtime/alert/alert-node') = require('../src/runtime/alert/alert-node');
    return alertNode(RED);
  });
