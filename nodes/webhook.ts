import type { NodeAPI } from 'node-red';
import { registerLazy, serveLazy } from '../src/runtime/lazy';

export = (RED: NodeAPI): void => {
  registerLazy(
    RED,
    'algo-webhook',
    () => {
      const {
        openWebhook,
      }: typeof import('../src/runtime/webhook/webhook-node') = require('../src/runtime/webhook/webhook-node');
      return (node, definition) => openWebhook(RED, node, definition);
    },
    { credentials: { password: { type: 'password' } } },
  );
  serveLazy(RED, ['/algo/webhook/address'], () => {
    const { webhookEndpoints }: typeof import('../src/runtime/admin/webhook-address') =
      require('../src/runtime/admin/webhook-address');
    return webhookEndpoints(RED);
  });
};
