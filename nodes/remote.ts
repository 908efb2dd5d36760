import type { NodeAPI } from 'node-red';
import { registerLazy, serveLazy } from '../src/runtime/lazy';

export = (RED: NodeAPI): void => {
  registerLazy(
    RED,
    'algo-remote',
    () => {
      const {
        openRemote,
      }: typeof import('../src/runtime/sites/remote-node') = require('../src/runtime/sites/remote-node');
      return (node, definition) => openRemote(RED, node, definition);
    },
    { credentials: { secret: { type: 'password' } } },
  );
  serveLazy(RED, ['/algo/sites/keys'], () => {
    const { keyEndpoints }: typeof import('../src/runtime/admin/site-keys') =
      require('../src/runtime/admin/site-keys');
    return keyEndpoints(RED);
  });
};
