import type { NodeAPI } from 'node-red';
import { registerActionNode } from '../src/runtime/register';

export = (RED: NodeAPI): void =>
  registerActionNode(RED, 'relay', () => {
    const { relay }: typeof import('../src/catalogue/relay') = require('../src/catalogue/relay');
    return { group: relay, hooks: {} };
  });
