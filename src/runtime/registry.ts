import type { Device } from './device';

/** The devices that run now, by the id of their node; messages name them, so they must be found by name. */
const running = new Map<string, Device>();

export function register(device: Device): void {
  running.set(device.id, device);
}

/** Takes a device out, unless a redeploy has already put its successor in its place. */
export function deregister(device: Device): void {
  if (running.get(device.id) === device) running.delete(device.id);
}

export function deviceById(id: string): Device | undefined {
  return running.get(id);
}

export function devicesNamed(name: string): Device[] {
  return [...running.values()].filter((device) => device.name === name);
}

export function devicesTagged(tag: string): Device[] {
  return [...running.values()].filter((device) => device.tags.includes(tag));
}
