import type { NodeAPI } from 'node-red';
import type { DevicePath } from '../src/runtime/admin/device-endpoints';
import { mayKeep } from '../src/runtime/journal/folder';
import { registerLazy, serveLazy } from '../src/runtime/lazy';

const endpoints: readonly DevicePath[] = [
  '/algo/test',
  '/algo/offer',
  '/algo/devices/:id/try',
  '/algo/overview/watch',
  '/algo/overview/ask',
  '/algo/overview/known',
  '/algo/find',
  '/algo/find/ranges',
];

export = (RED: NodeAPI): void => {
  registerLazy(
    RED,
    'algo-device',
    () => {
      start(RED);
      const { deviceNode }: typeof import('../src/runtime/device/config-nodes') =
        require('../src/runtime/device/config-nodes');
      return deviceNode(RED);
    },
    { credentials: { password: { type: 'password' } } },
  );
  serveLazy(RED, endpoints, () => {
    const { deviceEndpoints }: typeof import('../src/runtime/admin/device-endpoints') =
      require('../src/runtime/admin/device-endpoints');
    return deviceEndpoints(RED);
  });
  settlePendingWork(RED);
};

/**
 * Sends the stops and clears that an earlier process left in the journal, even if their nodes no longer
 * exist. Has no effect without a journal.
 */
function settlePendingWork(RED: NodeAPI): void {
  if (!mayKeep(RED)) return;
  const { settlePending }: typeof import('../src/runtime/start') = require('../src/runtime/start');
  settlePending(RED);
}

function start(RED: NodeAPI): void {
  const { begin }: typeof import('../src/runtime/start') = require('../src/runtime/start');
  begin(RED);
}
