import type { NodeAPI } from 'node-red';
import { registerReceiptsNode } from '../src/runtime/delivery/receipts-node';

export = (RED: NodeAPI): void => registerReceiptsNode(RED);
