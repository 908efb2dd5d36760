import type { NodeAPI } from 'node-red';
import { maxRowPasswords, rowPassword } from '../src/catalogue/row-passwords';
import { registerLazy } from '../src/runtime/lazy';

/**
 * Node-RED stores and hides only declared credentials, so the credentials of all possible rows are declared.
 */
const rowPasswords = Array.from({ length: maxRowPasswords }, (_, place) => [
  rowPassword(place + 1),
  { type: 'password' },
]);

export = (RED: NodeAPI): void =>
  registerLazy(
    RED,
    'algo-group',
    () => {
      const { begin }: typeof import('../src/runtime/start') = require('../src/runtime/start');
      begin(RED);
      const {
        groupNode,
      }: typeof import('../src/runtime/device/config-nodes') = require('../src/runtime/device/config-nodes');
      return groupNode(RED);
    },
    { credentials: { password: { type: 'password' }, ...Object.fromEntries(rowPasswords) } },
  );
