import type { FoundDevice } from '../../../runtime/answers';
import { everyDevice, rowsOfOthers } from '../targets/known-devices';
import { deviceValues } from './device-values';

const maxNameLength = 60;

/** Returns the address of a found device as the dialogs store it: an address without a scheme means https. */
export function written({ address, secure }: FoundDevice): string {
  return secure ? address : `http://${address}`;
}

/**
 * Creates a device node for each found device. One undo removes all created nodes.
 * @param node the device node whose dialog is open
 */
export function makeDevices(node: EditorNode, found: readonly FoundDevice[]): void {
  const type = RED.nodes.getType('algo-device');
  if (!type) return;
  const dialog = $('#node-config-input-address').closest('form');
  const names = namesFor(found);
  const access = accessShown();
  const made = found.map((one, index) =>
    RED.nodes.add({
      ...{ id: RED.nodes.id(), type: 'algo-device', _def: type, z: node.z ?? '', users: [], changed: true },
      ...defaultsOf(type),
      ...access,
      name: names[index] ?? '',
      address: written(one),
    }),
  );
  for (const one of made) RED.editor.validateNode(one);
  RED.history.push({ t: 'add', nodes: made.map(({ id }) => id), dirty: RED.nodes.dirty() });
  RED.nodes.dirty(true);
  RED.view.redraw(true);
  // Core fills a select only when its dialog opens, so the dialog behind this dialog lacks the new devices.
  dialog.one('remove', () => void setTimeout(() => offer(made)));
}

function defaultsOf({ defaults = {} }: EditorNode['_def']): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(defaults).map(([name, { value }]) => [name, structuredClone(value)]),
  );
}

/**
 * Returns the access settings of the open dialog that new devices can share: neither the fingerprint nor a
 * stored password.
 */
function accessShown(): Record<string, unknown> {
  const { values, password } = deviceValues();
  const { auth, certificate, tls } = values;
  return {
    auth,
    tls,
    certificate: certificate === 'pin' ? 'verify' : certificate,
    ...(password && { credentials: { password, has_password: true } }),
  };
}

function namesFor(found: readonly FoundDevice[]): string[] {
  const products = found.map(({ product }) => deviceNameFrom(product));
  const taken = [...everyDevice(), ...rowsOfOthers()].map(({ name }) => name);
  const uses = (name: string) => [...taken, ...products].filter((one) => one === name).length;
  return products.map((product, index) =>
    uses(product) === 1 && product !== '' ? product : `${product} ${found[index]?.address}`.trim(),
  );
}

/**
 * Keeps only letters, digits and harmless punctuation, since `$` and a colon can have a meaning in a name.
 */
function deviceNameFrom(product: string): string {
  const words = product.replace(/[^\p{L}\p{N} .,()/_-]/gu, ' ').split(' ');
  return words.filter(Boolean).join(' ').slice(0, maxNameLength).trim();
}

function offer(made: readonly EditorNode[]): void {
  const select = $('select#node-input-device');
  const listed = (select.children().get() as HTMLOptionElement[]).map(({ value }) => value);
  for (const one of made.filter(({ id }) => !listed.includes(id))) {
    const option = $('<option>').val(one.id).text(RED.utils.getNodeLabel(one, one.id));
    option.insertBefore(select.children('[value="_ADD_"]'));
  }
}
