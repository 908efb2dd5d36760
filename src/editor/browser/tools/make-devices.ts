import type { FoundDevice } from '../../../runtime/answers';
import { everyDevice, rowsOfOthers } from '../targets/known-devices';
import { deviceValues } from './device-values';

const maxNameLength = 60;

/** An address as it stands in a dialog: https is what is meant without a scheme. */
export function written({ address, secure }: FoundDevice): string {
  return secure ? address : `http://${address}`;
}

/**
 * Makes configuration nodes of devices that were found, as the dialog of another one says how to be let in; undo takes
 * all of them back at once.
 * @param node the device whose dialog is open
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
  // Core lists the devices of a dialog when it opens: that of one behind this one is to know them too.
  dialog.one('remove', () => void setTimeout(() => offer(made)));
}

/** What a device begins with. */
function defaultsOf({ defaults = {} }: EditorNode['_def']): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(defaults).map(([name, { value }]) => [name, structuredClone(value)]),
  );
}

/** How to be let in, as it stands in the dialog. A fingerprint is one device's, and a stored password is not here. */
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

/** The product, and the address with it where something else is called so: a name of two means neither. */
function namesFor(found: readonly FoundDevice[]): string[] {
  const products = found.map(({ product }) => spoken(product));
  const taken = [...everyDevice(), ...rowsOfOthers()].map(({ name }) => name);
  const uses = (name: string) => [...taken, ...products].filter((one) => one === name).length;
  return products.map((product, index) =>
    uses(product) === 1 && product !== '' ? product : `${product} ${found[index]?.address}`.trim(),
  );
}

/** A page may say anything: a name says neither `tag:` nor `${…}`. */
function spoken(product: string): string {
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
