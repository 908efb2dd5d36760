import type { NodeAPI } from 'node-red';
import { registerLazy } from '../src/runtime/lazy';

export = (RED: NodeAPI): void =>
  registerLazy(RED, 'algo-receipts', () => {
    const {
      openReceipts,
    }: typeof import('../src/runtime/message/receipts-node') = require('../src/runtime/message/receipts-node');
    return openReceipts;
  });
