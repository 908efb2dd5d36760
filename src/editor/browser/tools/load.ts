import { loadScript } from '../page/load';
import type { DeviceTools } from './script';

declare global {
  interface Window {
    /** Brought by a file of its own, when a person wants something of a device itself. */
    algoDevice?: DeviceTools;
  }
}

export function loadTools(): Promise<DeviceTools> {
  return loadScript('algo-device.js', () => window.algoDevice);
}

/** Does something with the part of the editor that asks devices; says so where that part cannot be had. */
export function withTools(use: (tools: DeviceTools) => void): Promise<void> {
  return loadTools().then(use, () =>
    RED.notify(RED._('@openpaging/node-red-algo/device:tools.missing'), 'error'),
  );
}

const coming = new WeakSet<HTMLElement>();

/** The same for a button that opens and closes something: pressed again before that has come it does nothing. */
export async function withToolsOnce([button]: JQuery, use: (tools: DeviceTools) => void): Promise<void> {
  if (!button || coming.has(button)) return;
  coming.add(button);
  try {
    await withTools(use);
  } finally {
    coming.delete(button);
  }
}
