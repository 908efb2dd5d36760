import type { NodeAPI } from 'node-red';
import { registerActionNode } from '../src/runtime/register';

export = (RED: NodeAPI): void =>
  registerActionNode(RED, 'files', () => {
    const { files }: typeof import('../src/catalogue/files') = require('../src/catalogue/files');
    return { group: files, hooks: {} };
  });
