import type { NodeAPI } from 'node-red';
import { registerActionNode } from '../src/runtime/register';

export = (RED: NodeAPI): void =>
  registerActionNode(RED, 'door', () => {
    const { door }: typeof import('../src/catalogue/door') = require('../src/catalogue/door');
    return { group: door, hooks: {} };
  });
