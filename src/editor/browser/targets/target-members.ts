import { isVariable } from '../operations/check';
import { current } from '../page/inputs';
import { rowsOf } from './group-rows';
import { everyDevice, rowsOfOthers } from './known-devices';
import { type Member, membersOf } from './members';

export interface TargetMember {
  /** Id by which the runtime knows the device after a deploy. */
  readonly id: string;
  readonly name: string;
  readonly model?: string;
  readonly firmware?: string;
  readonly letDeviceDecide: boolean;
}

/**
 * Returns the target devices of a node, as selected in its dialog; undefined if a message sets the target.
 * @param several the selected targets if the target is `several`: ids of devices, `group:` with an id, or
 * `tag:` with a tag
 */
export function targetMembers(node: EditorNode, several?: readonly string[]): TargetMember[] | undefined {
  const target = current(node, 'target') || 'device';
  if (target === 'device') return memberOf(current(node, 'device'));
  if (target === 'group') return membersOfGroup(current(node, 'group'));
  return target === 'several' && several ? membersOfSeveral(several) : undefined;
}

function membersOfSeveral(several: readonly string[]): TargetMember[] {
  const restOf = (kind: string) =>
    several.filter((one) => one.startsWith(kind)).map((one) => one.slice(kind.length));
  const tags = restOf('tag:').join(',');
  const devices = everyDevice();
  const tagged = membersOf({ picked: [], rows: [], tags, devices, rowsOfOthers: rowsOfOthers() });
  const members = [
    ...several.flatMap(memberOf),
    ...restOf('group:').flatMap(membersOfGroup),
    ...tagged.flatMap((member) => known(member)),
  ];
  return [...new Map(members.map((member) => [member.id, member])).values()];
}

function membersOfGroup(id: unknown): TargetMember[] {
  const group = RED.nodes.node(id);
  if (!group) return [];
  const picked = Array.isArray(group.devices) ? group.devices.map(String) : [];
  const members = membersOf({
    picked,
    rows: rowsOf(group.rows),
    tags: String(group.tags ?? ''),
    devices: everyDevice(),
    rowsOfOthers: rowsOfOthers(group),
  });
  return members.flatMap((member) => known(member, group));
}

function known({ id, name, model }: Member, group?: EditorNode): TargetMember[] {
  const found = memberOf(id);
  if (found.length > 0) return found;
  const letDeviceDecide = group?.letDeviceDecide === true;
  return [{ id: id ?? `${group?.id}/${name}`, name, letDeviceDecide, ...(isKnown(model) && { model }) }];
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
