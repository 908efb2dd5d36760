import type { OverviewRow } from '../../../runtime/answers';

/** Of a node's properties those that hold ids of devices or groups. */
const ours = /^algo-(device|group)(?:\[\])?$/;

/** The nodes that use a device or a group, by itself or through one of its groups. */
export function usersOf({ id, groups = [] }: OverviewRow): EditorNode[] {
  const wanted = new Set([id, ...groups]);
  const users: EditorNode[] = [];
  RED.nodes.eachNode((node) => {
    if (idsIn(node).some((one) => wanted.has(one))) users.push(node);
  });
  return users;
}

function idsIn(node: EditorNode): string[] {
  const target = node.target || 'device';
  return Object.entries(node._def.defaults ?? {}).flatMap(([property, { type = '' }]) => {
    const kind = ours.exec(type)?.[1];
    // A node that was changed to a group keeps the device that it had before.
    if (kind === undefined || ('target' in node && kind !== target)) return [];
    return [node[property]].flat().map(String);
  });
}

/** The config node whose dialog a row opens: of a group's row that is the group's. */
export function configOf({ id, groups = [] }: OverviewRow): EditorNode | null {
  const owner = groups.find((group) => id.startsWith(`${group}/`) || id.startsWith(`${group}#`));
  return RED.nodes.node(id) ?? RED.nodes.node(owner);
}

/** The address of a device's own page; undefined where there is none that a browser opens. */
export function pageOf({ address }: OverviewRow): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;
  const { protocol, href } = new URL(address);
  return protocol === 'http:' || protocol === 'https:' ? href : undefined;
}
