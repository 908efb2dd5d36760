import type { NodeAPI } from 'node-red';
import { registerActionNode } from '../src/runtime/register';

export = (RED: NodeAPI): void =>
  registerActionNode(RED, 'call', () => {
    const { call }: typeof import('../src/catalogue/call') = require('../src/catalogue/call');
    return { group: call, hooks: {} };
  });
