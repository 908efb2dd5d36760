import type { NodeAPI } from 'node-red';
import { registerLater, serveLater } from '../src/runtime/later';

export = (RED: NodeAPI): void => {
  registerLater(
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
  serveLater(RED, ['/algo/sites/keys'], () => {
    const { keyEndpoints }: typeof import('../src/runtime/sites/key-endpoints') =
      require('../src/runtime/sites/key-endpoints');
    return keyEndpoints(RED);
  });
};
