import type { NodeAPI } from 'node-red';
import { registerLater } from '../later';
import { type Kind, noteKind } from './kinds';

/**
 * Registers the node of one group of operations, for example `algo-door`.
 * @param noun that of the group
 * @param load the operations, and what is done by hand for them; called once, when they are first needed
 */
export function registerActionNode(RED: NodeAPI, noun: string, load: () => Omit<Kind, 'RED'>): void {
  const kind = noteKind(noun, () => ({ RED, ...load() }));
  registerLater(RED, `algo-${noun}`, () => {
    const { actionNode }: typeof import('./node') = require('./node');
    const { endingsOf }: typeof import('../delivery/endings') = require('../delivery/endings');
    return actionNode(kind(), endingsOf(RED));
  });
}
