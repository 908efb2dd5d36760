import type { NodeAPI } from 'node-red';
import { registerLater } from '../src/runtime/later';

export = (RED: NodeAPI): void =>
  registerLater(
    RED,
    'algo-group',
    () => {
      const {
        groupNode,
      }: typeof import('../src/runtime/device/group-node') = require('../src/runtime/device/group-node');
      return groupNode(RED);
    },
    { credentials: { password: { type: 'password' } } },
  );
