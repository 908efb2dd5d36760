import type { NodeAPI } from 'node-red';
import { registerLazy } from '../src/runtime/lazy';

export = (RED: NodeAPI): void =>
  registerLazy(RED, 'algo-receipts', () => {
    const {
      openReceipts,
    }: typeof import('../src/runtime/events/receipts-node') = require('../src/runtime/events/receipts-node');
    return openReceipts;
  });
