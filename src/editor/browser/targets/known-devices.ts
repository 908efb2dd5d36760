import { rowsOf } from './group-rows';

/** A device node of this editor, or a row of a group. */
export interface KnownDevice {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly tags: readonly string[];
  /** Model of a row; empty if the user set no model, absent for a device node. */
  readonly model?: string;
}

export function everyDevice(): KnownDevice[] {
  return configsOf('algo-device').map(deviceOf).sort(byName);
}

/** Returns the rows of all groups except `group`. A row with a tag of `group` is a member of `group` too. */
export function rowsOfOthers(group?: EditorNode): KnownDevice[] {
  const others = configsOf('algo-group').filter(({ id }) => id !== group?.id);
  return others.flatMap(({ id, rows }) =>
    rowsOf(rows).map(({ name, address, tags, model }) => ({
      id: `${id}/${name || address}`,
      name: name || address,
      address,
      tags: tagsIn(tags),
      model,
    })),
  );
}

export function tagsIn(text: unknown): string[] {
  const tags = String(text ?? '').split(',');
  return [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))];
}

function configsOf(type: string): EditorNode[] {
  const found: EditorNode[] = [];
  RED.nodes.eachConfig((node) => {
    if (node.type === type) found.push(node);
  });
  return found;
}

function deviceOf(node: EditorNode): KnownDevice {
  const isVirtual = Boolean(RED.nodes.node(node.virtual));
  return {
    id: node.id,
    name: RED.utils.getNodeLabel(node, node.id),
    address: isVirtual ? '' : String(node.address ?? ''),
    tags: tagsIn(node.tags),
  };
}

function byName(a: KnownDevice, b: KnownDevice): number {
  return a.name.localeCompare(b.name);
}
