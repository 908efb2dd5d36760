import { current } from '../page/inputs';
import { everyDevice, rowsOfOthers } from './known-devices';

/** The targets that were ticked for a node. */
export function targetsOf({ targets }: EditorNode): readonly string[] {
  return Array.isArray(targets) ? targets.map(String) : [];
}

/** What a person reads for several targets: the first by name, and how many more there are. */
export function severalWords(node: EditorNode): string {
  const [first = '', ...others] = targetsOf(node);
  const id = first.replace(/^group:/, '');
  const known = everyDevice().find((device) => device.id === first)?.name;
  const config = RED.nodes.node(id);
  const name = known ?? (config ? RED.utils.getNodeLabel(config, id) : first);
  return others.length > 0 ? `${name} +${others.length}` : name;
}

/** Whether there is such a device, row or group: whoever writes a flow by hand may name them, as in a message. */
export function isThere(target: string): boolean {
  const id = target.replace(/^group:/, '');
  if (RED.nodes.node(id)) return true;
  const known = id === target ? [...everyDevice(), ...rowsOfOthers()] : [];
  if (known.some((one) => one.id === id || one.name === id)) return true;
  let isNamed = false;
  RED.nodes.eachConfig(({ type, name }) => {
    isNamed ||= id !== target && type === 'algo-group' && name === id;
  });
  return isNamed;
}

/** Where a node's messages go; a device where a flow does not say. */
export function targetOf({ target }: EditorNode): unknown {
  return target || 'device';
}

/** The device that a node is for, or the virtual one in its place; undefined where there is not one alone. */
export function targetDevice(node: EditorNode): EditorNode | undefined {
  if ((current(node, 'target') ?? 'device') !== 'device') return undefined;
  const device = RED.nodes.node(current(node, 'device'));
  const virtual = RED.nodes.node(device?.virtual);
  if (virtual && device?.letDeviceDecide === true) return device;
  return virtual ?? device ?? undefined;
}

/** What a person set as the model of the device that a node is for; undefined where only the device can tell. */
export function modelOf(node: EditorNode): string | undefined {
  const model = targetDevice(node)?.model;
  return typeof model === 'string' && model !== '' ? model : undefined;
}
