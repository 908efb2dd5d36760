import type { NodeAPI } from 'node-red';
import { registerActionNode } from '../src/runtime/register';

export = (RED: NodeAPI): void =>
  registerActionNode(RED, 'system', () => {
    const { system }: typeof import('../src/catalogue/system') = require('../src/catalogue/system');
    return { group: system, hooks: {} };
  });
