import type { NodeAPI } from 'node-red';
import { registerLater } from '../src/runtime/lazy';

export = (RED: NodeAPI): void =>
  registerLater(
    RED,
    'algo-site',
    () => {
      const {
        openSite,
      }: typeof import('../src/runtime/sites/site-node') = require('../src/runtime/sites/site-node');
      return (node, definition) => openSite(RED, node, definition);
    },
    { credentials: { key: { type: 'password' } } },
  );
