import type { NodeAPI } from 'node-red';
import { registerLazy } from './lazy';
import { type Kind, noteKind } from './message/kinds';

/**
 * Registers the node of one group of operations, for example `algo-door`.
 * @param noun that of the group
 * @param load the operations, and what is done by hand for them; called once, when they are first needed
 */
export function registerActionNode(RED: NodeAPI, noun: string, load: () => Omit<Kind, 'RED'>): void {
  const kind = noteKind(noun, () => ({ RED, ...load() }));
  registerLazy(RED, `algo-${noun}`, () => {
    const { actionNode }: typeof import('./message/node') = require('./message/node');
    const {
      autoStopScheduler: endingsOf,
    }: typeof import('./auto-stop/auto-stops') = require('./auto-stop/auto-stops');
    return actionNode(kind(), endingsOf(RED));
  });
}

/** Registers one kind of watching node, for example `algo-status`. */
export function registerWatchNode(
  RED: NodeAPI,
  noun: keyof typeof import('./watch/watch-kinds').watchKinds,
): void {
  registerLazy(RED, `algo-${noun}`, () => {
    const { watchNode }: typeof import('./watch/watch-node') = require('./watch/watch-node');
    const { watchKinds }: typeof import('./watch/watch-kinds') = require('./watch/watch-kinds');
    return watchNode(RED, watchKinds[noun]);
  });
}
