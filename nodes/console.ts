import type { NodeAPI } from 'node-red';
import { registerActionNode } from '../src/runtime/register';

export = (RED: NodeAPI): void =>
  registerActionNode(RED, 'console', () => {
    const { console }: typeof import('../src/catalogue/console') = require('../src/catalogue/console');
    return { group: console, hooks: {} };
  });
