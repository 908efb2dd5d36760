declare global {
  interface Window {
    /** Brought by the page of virtual devices. */
    algoOpenPanel?: (id: string) => void;
  }
}

const words = '@openpaging/node-red-algo/virtual-device:panel.open';

/**
 * Puts a button below the choice of a device that opens its panel, while that is a virtual one.
 * @param choice the select
 * @param virtualOf what the virtual device's id is for what is chosen
 */
export function offerPanel(choice: JQuery, virtualOf: (chosen: string) => unknown): void {
  const button = $('<button type="button" class="red-ui-button red-ui-button-small">');
  button.append(
    '<i class="fa fa-external-link" aria-hidden="true"></i> ',
    document.createTextNode(RED._(words)),
  );
  const place = $('<div class="algo-tools algo-buttons">')
    .append(button)
    .appendTo(choice.closest('.form-row'));
  const virtual = () => String(virtualOf(String(choice.val() ?? '')) ?? '');
  const refresh = () => place.toggle(Boolean(window.algoOpenPanel && RED.nodes.node(virtual())));
  button.on('click', () => window.algoOpenPanel?.(virtual()));
  choice.on('change', refresh);
  refresh();
}

/** The same in the dialog of a node, which chooses a device. */
export function offerPanelOfDevice(): void {
  offerPanel($('#node-input-device'), (id) => RED.nodes.node(id)?.virtual);
}
