import type { NodeAPI } from 'node-red';
import { mostRowPasswords, rowPassword } from '../src/catalogue/row-passwords';
import { registerLater } from '../src/runtime/later';

/** Node-RED keeps and hides only what is declared. */
const rowPasswords = Array.from({ length: mostRowPasswords }, (_, place) => [
  rowPassword(place + 1),
  { type: 'password' },
]);

export = (RED: NodeAPI): void =>
  registerLater(
    RED,
    'algo-group',
    () => {
      const { begin }: typeof import('../src/runtime/beginning') = require('../src/runtime/beginning');
      begin(RED);
      const {
        groupNode,
      }: typeof import('../src/runtime/device/group-node') = require('../src/runtime/device/group-node');
      return groupNode(RED);
    },
    { credentials: { password: { type: 'password' }, ...Object.fromEntries(rowPasswords) } },
  );
