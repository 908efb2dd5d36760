import { loadScript } from '../page/load';
import type { DeviceTools } from './script';

export function loadTools(): Promise<DeviceTools> {
  return loadScript('device');
}

export function withTools(use: (tools: DeviceTools) => void): Promise<void> {
  return loadTools().then(use, () =>
    RED.notify(RED._('@openpaging/node-red-algo/device:tools.missing'), 'error'),
  );
}

/** Connects the "Try it" button or another one, which is disabled for users without write permission. */
export function openTry(use: (tools: DeviceTools) => void, button = $('#algo-try')): void {
  button.prop('disabled', RED.user?.hasPermission('algo.write') === false);
  button.on('click', () => void withTools(use));
}

const loadingButtons = new WeakSet<HTMLElement>();

/**
 * Like `withTools`, for a button that opens and closes a part of the dialog. Ignores clicks while the tools
 * are loading.
 */
export async function withToolsOnce([button]: JQuery, use: (tools: DeviceTools) => void): Promise<void> {
  if (!button || loadingButtons.has(button)) return;
  loadingButtons.add(button);
  try {
    await withTools(use);
  } finally {
    loadingButtons.delete(button);
  }
}
