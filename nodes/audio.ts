import type { NodeAPI } from 'node-red';
import { registerActionNode } from '../src/runtime/register';

export = (RED: NodeAPI): void =>
  registerActionNode(RED, 'audio', () => {
    const { audio }: typeof import('../src/catalogue/audio') = require('../src/catalogue/audio');
    return { group: audio, hooks: {} };
  });
