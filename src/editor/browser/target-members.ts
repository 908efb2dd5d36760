import { isVariable } from './check';
import { everyDevice, rowsOfOthers } from './devices';
import { membersOf } from './members';
import { current } from './node';
import { rowsOf } from './rows';

/** A device that a node is for, with what is known of it without asking it. */
export interface TargetMember {
  /** As the runtime knows it, once it is deployed. */
  readonly id: string;
  readonly name: string;
  readonly model?: string;
  readonly firmware?: string;
  /** A person wants everything to be sent to it. */
  readonly letDeviceDecide: boolean;
}

/** The devices that a node is for, as its dialog shows it; undefined where only a message says. */
export function targetMembers(node: EditorNode): TargetMember[] | undefined {
  const target = current(node, 'target') || 'device';
  if (target === 'device') return memberOf(current(node, 'device'));
  const group = target === 'group' ? RED.nodes.node(current(node, 'group')) : null;
  if (!group) return target === 'group' ? [] : undefined;
  const picked = Array.isArray(group.devices) ? group.devices.map(String) : [];
  const members = membersOf({
    picked,
    rows: rowsOf(group.rows),
    tags: String(group.tags ?? ''),
    devices: everyDevice(),
    rowsOfOthers: rowsOfOthers(group),
  });
  // A row is asked for its model when something is sent to it.
  const letDeviceDecide = group.letDeviceDecide === true;
  return members.flatMap(({ id, name }) => {
    const known = memberOf(id);
    return known.length > 0 ? known : [{ id: id ?? `${group.id}/${name}`, name, letDeviceDecide }];
  });
}

function memberOf(id: unknown): TargetMember[] {
  const device = RED.nodes.node(id);
  if (device?.type !== 'algo-device') return [];
  const { model, firmware } = RED.nodes.node(device.virtual) ?? device;
  return [
    {
      id: device.id,
      name: RED.utils.getNodeLabel(device, device.id),
      letDeviceDecide: device.letDeviceDecide === true,
      ...(isKnown(model) && { model }),
      ...(isKnown(firmware) && { firmware }),
    },
  ];
}

function isKnown(text: unknown): text is string {
  return typeof text === 'string' && text !== '' && !isVariable(text);
}
