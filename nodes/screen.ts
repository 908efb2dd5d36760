import type { NodeAPI } from 'node-red';
import { registerActionNode } from '../src/runtime/action/register';

export = (RED: NodeAPI): void =>
  registerActionNode(RED, 'screen', () => {
    const { screen }: typeof import('../src/catalogue/screen') = require('../src/catalogue/screen');
    const {
      strobesByName,
    }: typeof import('../src/runtime/action/strobe-names') = require('../src/runtime/action/strobe-names');
    return { group: screen, hooks: strobesByName() };
  });
