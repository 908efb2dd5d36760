import type { NodeAPI } from 'node-red';
import { registerLater } from '../src/runtime/later';

export = (RED: NodeAPI): void =>
  registerLater(RED, 'algo-remote', () => {
    const {
      openRemote,
    }: typeof import('../src/runtime/sites/remote-node') = require('../src/runtime/sites/remote-node');
    return (node, definition) => openRemote(RED, node, definition);
  });
