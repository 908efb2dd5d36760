import type { NodeAPI } from 'node-red';
import { registerLater } from '../src/runtime/lazy';

export = (RED: NodeAPI): void =>
  registerLater(RED, 'algo-alert', () => {
    const {
      alertNode,
    }: typeof import('../src/runtime/alert/alert-node') = require('../src/runtime/alert/alert-node');
    return alertNode(RED);
  });
