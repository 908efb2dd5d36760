import type { NodeAPI } from 'node-red';
import { registerActionNode } from '../src/runtime/register';

export = (RED: NodeAPI): void =>
  registerActionNode(RED, 'info', () => {
    const { info }: typeof import('../src/catalogue/info') = require('../src/catalogue/info');
    return { group: info, hooks: {} };
  });
