import type { NodeAPI } from 'node-red';
import { registerLazy } from '../src/runtime/lazy';

export = (RED: NodeAPI): void =>
  registerLazy(RED, 'algo-announce', () => {
    const { announceNode }: typeof import('../src/runtime/announce/announce-node') =
      require('../src/runtime/announce/announce-node');
    return announceNode(RED);
  });
