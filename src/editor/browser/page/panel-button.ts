import { button } from './button';

declare global {
  interface Window {
    algoOpenPanel?: (id: string) => void;
  }
}

const words = '@openpaging/node-red-algo/virtual-device:panel.open';

/**
 * @param choice the select of a device or of a virtual device
 * @param virtualOf returns the id of the virtual device for the selected value, if any
 */
export function offerPanel(choice: JQuery, virtualOf: (chosen: string) => unknown): void {
  const virtual = () => String(virtualOf(String(choice.val() ?? '')) ?? '');
  const open = button(RED._(words), () => window.algoOpenPanel?.(virtual()), 'external-link');
  const container = $('<div class="algo-tools algo-buttons">')
    .append(open)
    .appendTo(choice.closest('.form-row'));
  const refresh = () => container.toggle(Boolean(window.algoOpenPanel && RED.nodes.node(virtual())));
  choice.on('change', refresh);
  refresh();
}

export function offerPanelOfDevice(): void {
  offerPanel($('#node-input-device'), (id) => RED.nodes.node(id)?.virtual);
}
