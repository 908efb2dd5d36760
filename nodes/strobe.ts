import type { NodeAPI } from 'node-red';
import { registerActionNode } from '../src/runtime/action/register';

export = (RED: NodeAPI): void =>
  registerActionNode(RED, 'strobe', () => {
    const { strobe }: typeof import('../src/catalogue/strobe') = require('../src/catalogue/strobe');
    const {
      strobesByName,
    }: typeof import('../src/runtime/action/strobe-names') = require('../src/runtime/action/strobe-names');
    return { group: strobe, hooks: strobesByName() };
  });
