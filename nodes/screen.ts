import type { NodeAPI } from 'node-red';
import { registerActionNode } from '../src/runtime/register';

export = (RED: NodeAPI): void =>
  registerActionNode(RED, 'screen', () => {
    const { screen }: typeof import('../src/catalogue/screen') = require('../src/catalogue/screen');
    const {
      strobesByName,
    }: typeof import('../src/runtime/message/strobe-names') = require('../src/runtime/message/strobe-names');
    return { group: screen, hooks: strobesByName() };
  });
