import assert from 'node:assert/strict';
import type { VirtualDevice } from '../../src/virtual-device/device';
import type { NodeConfig } from '../fixtures/flow';
import { redeploy } from '../fixtures/redeploy';
import { flowOf, type Inbox, startVirtual, type WatchMessage } from './watch-flow';

export const names = ['Hall', 'Yard', 'Gate'] as const;
export type Name = (typeof names)[number];

const running = new Map<Name, VirtualDevice>();

/** Starts a virtual device of each name. */
export async function runAll(): Promise<void> {
  for (const name of names) await run(name);
}

export async function run(name: Name, port = 0): Promise<VirtualDevice> {
  const device = await startVirtual({ port });
  running.set(name, device);
  return device;
}

export function virtual(name: Name): VirtualDevice {
  return running.get(name) ?? assert.fail();
}

export function config(name: Name, more: Record<string, unknown> = {}): NodeConfig {
  const { address } = virtual(name);
  return { id: name.toLowerCase(), type: 'algo-device', name, address, auth: 'none', ...more };
}

export function row(name: Name): Record<string, unknown> {
  return { name, address: virtual(name).address };
}

export function group(more: Record<string, unknown> = {}): NodeConfig {
  return { id: 'all', type: 'algo-group', name: 'All', auth: 'none', ...more };
}

export const relay: NodeConfig = {
  id: 'relay',
  type: 'algo-relay-input',
  target: 'group',
  group: 'all',
  interval: 0.2,
  initial: true,
};

export async function deploy(configs: readonly NodeConfig[]): Promise<void> {
  await redeploy(flowOf(configs));
}

/** The next messages until each of these devices has sent one; what else comes meanwhile is theirs too. */
export async function untilFrom(inbox: Inbox, ...wanted: string[]): Promise<WatchMessage[]> {
  const received: WatchMessage[] = [];
  while (!wanted.every((name) => received.some(({ device }) => device === name)))
    received.push(await inbox.next());
  return received;
}

export function sorted(messages: readonly WatchMessage[]): string[] {
  return messages.map(({ device }) => String(device)).toSorted();
}
