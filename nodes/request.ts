import type { NodeAPI } from 'node-red';
import { registerActionNode } from '../src/runtime/action/register';

export = (RED: NodeAPI): void =>
  registerActionNode(RED, 'request', () => {
    const { request }: typeof import('../src/catalogue/request') = require('../src/catalogue/request');
    const {
      freeRequests,
    }: typeof import('../src/runtime/action/free-request') = require('../src/runtime/action/free-request');
    return { group: request, hooks: freeRequests() };
  });
