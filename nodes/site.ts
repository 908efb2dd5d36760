import type { NodeAPI } from 'node-red';
import { registerLazy } from '../src/runtime/lazy';

export = (RED: NodeAPI): void =>
  registerLazy(
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
