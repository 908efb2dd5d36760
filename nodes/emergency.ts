import type { NodeAPI } from 'node-red';
import { registerActionNode } from '../src/runtime/register';

export = (RED: NodeAPI): void =>
  registerActionNode(RED, 'emergency', () => {
    const { emergency }: typeof import('../src/catalogue/emergency') = require('../src/catalogue/emergency');
    return { group: emergency, hooks: {} };
  });
