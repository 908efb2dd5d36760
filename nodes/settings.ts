import type { NodeAPI } from 'node-red';
import { registerActionNode } from '../src/runtime/register';

export = (RED: NodeAPI): void =>
  registerActionNode(RED, 'settings', () => {
    const { settings }: typeof import('../src/catalogue/settings') = require('../src/catalogue/settings');
    return { group: settings, hooks: {} };
  });
