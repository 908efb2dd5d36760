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
  const button = $('<button type="button" class="red-ui-button red-ui-button-small">');
  button.append(
    '<i class="fa fa-external-link" aria-hidden="true"></i> ',
    document.createTextNode(RED._(words)),
  );
  const container = $('<div class="algo-tools algo-buttons">')
    .append(button)
    .appendTo(choice.closest('.form-row'));
  const virtual = () => String(virtualOf(String(choice.val() ?? '')) ?? '');
  const refresh = () => container.toggle(Boolean(window.algoOpenPanel && RED.nodes.node(virtual())));
  button.on('click', () => window.algoOpenPanel?.(virtual()));
  choice.on('change', refresh);
  refresh();
}

export function offerPanelOfDevice(): void {
  offerPanel($('#node-input-device'), (id) => RED.nodes.node(id)?.virtual);
}
