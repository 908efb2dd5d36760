import type { NodeAPI } from 'node-red';
import { bellScheduler } from '../src/catalogue/bells';
import { registerActionNode } from '../src/runtime/action/node';
import { serveBells } from '../src/runtime/bells/admin';
import { bellHooks } from '../src/runtime/bells/bell-hooks';

export = (RED: NodeAPI): void => {
  registerActionNode(RED, bellScheduler, bellHooks());
  serveBells(RED);
};
