import { isVariable } from '../operations/check';
import { current } from '../page/inputs';
import { everyDevice, rowsOfOthers } from './known-devices';

export function targetsOf({ targets }: EditorNode): readonly string[] {
  return Array.isArray(targets) ? targets.map(String) : [];
}

export function severalWords(node: EditorNode): string {
  const [first = '', ...others] = targetsOf(node);
  const id = first.replace(/^group:/, '');
  const known = everyDevice().find((device) => device.id === first)?.name;
  const config = RED.nodes.node(id);
  const name = known ?? (config ? RED.utils.getNodeLabel(config, id) : first);
  return others.length > 0 ? `${name} +${others.length}` : name;
}

/** Whether a device, a row or a group exists. A handwritten flow can contain a name instead of an id. */
function isThere(target: string): boolean {
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

/** Whether one of several targets does not exist. Any tag counts as existing: a device can get the tag later. */
export function isOneGone(targets: readonly string[]): boolean {
  return targets.some((one) => !one.startsWith('tag:') && !isVariable(one) && !isThere(one));
}

export function targetOf({ target }: EditorNode): unknown {
  return target || 'device';
}

/**
 * Returns the target device of a node. If the device has a virtual device, returns the virtual device, unless
 * the device skips the checks of model and firmware. Undefined if the target is not a single device.
 */
export function targetDevice(node: EditorNode): EditorNode | undefined {
  if ((current(node, 'target') ?? 'device') !== 'device') return undefined;
  const device = RED.nodes.node(current(node, 'device'));
  const virtual = RED.nodes.node(device?.virtual);
  if (virtual && device?.letDeviceDecide === true) return device;
  return virtual ?? device ?? undefined;
}

/**
 * Whether all target devices of a node might decide themselves which keys a record can have. The editor knows this
 * of a single device only.
 */
export function letDevicesDecide(node: EditorNode): boolean {
  const isSingle = (current(node, 'target') || 'device') === 'device';
  return !isSingle || RED.nodes.node(current(node, 'device'))?.letDeviceDecide === true;
}

export function modelOf(node: EditorNode): string | undefined {
  const model = targetDevice(node)?.model;
  return typeof model === 'string' && model !== '' ? model : undefined;
}
