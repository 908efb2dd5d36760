import type { NodeAPI } from 'node-red';
import { registerLater } from '../src/runtime/lazy';

export = (RED: NodeAPI): void =>
  registerLater(RED, 'algo-receipts', () => {
    const {
      openReceipts,
    }: typeof import('../src/runtime/events/receipts-node') = require('../src/runtime/events/receipts-node');
    return openReceipts;
  });
