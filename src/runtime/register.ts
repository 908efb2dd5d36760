import type { NodeAPI } from 'node-red';
import { registerLazy } from './lazy';
import { type Kind, registerKind } from './message/kinds';

export function registerActionNode(
  RED: NodeAPI,
  resource: string,
  load: () => Omit<Kind, 'RED' | 'autoStops'>,
): void {
  const kind = registerKind(resource, () => {
    const { autoStopScheduler }: typeof import('./auto-stop/auto-stops') = require('./auto-stop/auto-stops');
    return { RED, autoStops: autoStopScheduler(RED), ...load() };
  });
  registerLazy(RED, `algo-${resource}`, () => {
    const { actionNode }: typeof import('./message/node') = require('./message/node');
    return actionNode(kind());
  });
}

export function registerWatchNode(
  RED: NodeAPI,
  resource: Parameters<typeof import('./watch/watch-node').watchNode>[1],
): void {
  registerLazy(RED, `algo-${resource}`, () => {
    const { watchNode }: typeof import('./watch/watch-node') = require('./watch/watch-node');
    return watchNode(RED, resource);
  });
}
