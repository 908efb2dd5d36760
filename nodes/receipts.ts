import type { NodeAPI } from 'node-red';
import { registerLater } from '../src/runtime/later';

export = (RED: NodeAPI): void =>
  registerLater(RED, 'algo-receipts', () => {
    const {
      openReceipts,
    }: typeof import('../src/runtime/delivery/receipts-node') = require('../src/runtime/delivery/receipts-node');
    return openReceipts;
  });
