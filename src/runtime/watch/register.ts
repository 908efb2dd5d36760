import type { NodeAPI } from 'node-red';
import { registerLater } from '../later';

/** Registers one kind of watching node, for example `algo-status`. */
export function registerWatchNode(RED: NodeAPI, noun: keyof typeof import('./watch-kinds').watchKinds): void {
  registerLater(RED, `algo-${noun}`, () => {
    const { watchNode }: typeof import('./watch-node') = require('./watch-node');
    const { watchKinds }: typeof import('./watch-kinds') = require('./watch-kinds');
    return watchNode(RED, watchKinds[noun]);
  });
}
