import type { NodeAPI } from 'node-red';
import { serveLazy } from '../src/runtime/lazy';
import { registerActionNode } from '../src/runtime/register';

export = (RED: NodeAPI): void => {
  registerActionNode(RED, 'scheduler', () => {
    const { bellScheduler }: typeof import('../src/catalogue/bells') = require('../src/catalogue/bells');
    const { bellHooks }: typeof import('../src/runtime/bells/bell-hooks') =
      require('../src/runtime/bells/bell-hooks');
    return { group: bellScheduler, hooks: bellHooks() };
  });
  serveLazy(RED, ['/algo/bells/:id/look', '/algo/bells/:id/change', '/algo/bells/calendar'], () => {
    const {
      bellEndpoints,
    }: typeof import('../src/runtime/admin/bells') = require('../src/runtime/admin/bells');
    return bellEndpoints(RED);
  });
};
