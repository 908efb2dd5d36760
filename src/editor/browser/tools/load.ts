import { loadScript } from '../page/load';
import type { DeviceTools } from './script';

declare global {
  interface Window {
    /** The tools, which their own script defines when a dialog needs them. */
    algoDevice?: DeviceTools;
  }
}

export function loadTools(): Promise<DeviceTools> {
  return loadScript('algo-device.js', () => window.algoDevice);
}

/** Runs code with the tools. If their script fails to load, the user sees a notification. */
export function withTools(use: (tools: DeviceTools) => void): Promise<void> {
  return loadTools().then(use, () =>
    RED.notify(RED._('@openpaging/node-red-algo/device:tools.missing'), 'error'),
  );
}

const coming = new WeakSet<HTMLElement>();

/**
 * Does the same for a button that opens and closes something. Further clicks are ignored while the script is
 * loading.
 */
export async function withToolsOnce([button]: JQuery, use: (tools: DeviceTools) => void): Promise<void> {
  if (!button || coming.has(button)) return;
  coming.add(button);
  try {
    await withTools(use);
  } finally {
    coming.delete(button);
  }
}
