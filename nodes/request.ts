import type { NodeAPI } from 'node-red';
import { registerActionNode } from '../src/runtime/register';

export = (RED: NodeAPI): void =>
  registerActionNode(RED, 'request', () => {
    const { request }: typeof import('../src/catalogue/request') = require('../src/catalogue/request');
    const {
      freeRequests,
    }: typeof import('../src/runtime/message/hooks') = require('../src/runtime/message/hooks');
    return { group: request, hooks: freeRequests() };
  });
