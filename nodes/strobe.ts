import type { NodeAPI } from 'node-red';
import { registerActionNode } from '../src/runtime/register';

export = (RED: NodeAPI): void =>
  registerActionNode(RED, 'strobe', () => {
    const { strobe }: typeof import('../src/catalogue/strobe') = require('../src/catalogue/strobe');
    const {
      strobesByName,
    }: typeof import('../src/runtime/message/strobe-names') = require('../src/runtime/message/strobe-names');
    return { group: strobe, hooks: strobesByName() };
  });
