import type { Device } from './device';

/**
 * The devices by the id of their node; messages name them, so they must be found by name. One that a deploy
 * replaces keeps its place until its successor runs.
 */
const known = new Map<string, Device>();

type Told = (successor: Device | undefined) => void;

/** Who waits for the successor of a device, by its id. */
const waiting = new Map<string, Set<Told>>();

/** Puts a device in its place, and its predecessor's where there was one. */
export function register(device: Device): void {
  known.set(device.id, device);
  tell(device.id, device);
}

/** Takes out a device that is deleted or disabled. */
export function deregister(device: Device): void {
  if (known.get(device.id) !== device) return;
  known.delete(device.id);
  tell(device.id, undefined);
}

/** A deploy is over: what was closed by it and not started again is no more. */
export function forgetClosed(): void {
  for (const device of known.values()) if (device.isClosed) deregister(device);
}

/**
 * Waits for the device that a deploy puts in the place of one that it closed.
 * @param onTold called once, with undefined when there is none
 * @returns what ends the waiting
 */
export function awaitSuccessor({ id }: Device, onTold: Told): () => void {
  const current = known.get(id);
  if (!current?.isClosed) {
    onTold(current);
    return () => {};
  }
  const listeners = waiting.get(id) ?? new Set();
  waiting.set(id, listeners.add(onTold));
  return () => listeners.delete(onTold);
}

export function deviceById(id: string): Device | undefined {
  return known.get(id);
}

/** One that is being replaced is found only where no other has the name now. */
export function devicesNamed(name: string): Device[] {
  const named = [...known.values()].filter((device) => device.name === name);
  const open = named.filter(({ isClosed }) => !isClosed);
  return open.length > 0 ? open : named;
}

export function devicesTagged(tag: string): Device[] {
  return [...known.values()].filter((device) => device.tags.includes(tag));
}

function tell(id: string, successor: Device | undefined): void {
  const listeners = waiting.get(id);
  waiting.delete(id);
  for (const onTold of listeners ?? []) onTold(successor);
}
