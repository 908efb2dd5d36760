import { type GroupRow, isBlank, nameOfRow } from './group-rows';
import { type KnownDevice, tagsIn } from './known-devices';

/**
 * A member of a group; `why` is the reason: a selected device, a row of the group, or a device found by a
 * tag.
 */
export interface Member {
  readonly name: string;
  readonly why: 'device' | 'row' | 'tag';
  readonly id?: string;
  readonly model?: string;
}

interface Parts {
  readonly picked: readonly string[];
  readonly rows: readonly GroupRow[];
  readonly tags: string;
  readonly devices: readonly KnownDevice[];
  readonly rowsOfOthers: readonly KnownDevice[];
}

/**
 * Returns the members of a group: selected devices, then rows of the group, then other devices and rows with
 * a tag of the group.
 */
export function membersOf({ picked, rows, tags, devices, rowsOfOthers }: Parts): Member[] {
  const known = new Map(devices.map((device) => [device.id, device]));
  const wanted = tagsIn(tags);
  const isTagged = (device: KnownDevice) => device.tags.some((tag) => wanted.includes(tag));
  const tagged = [...devices, ...rowsOfOthers].filter(
    (device) => !picked.includes(device.id) && isTagged(device),
  );
  return [
    ...picked.map((id): Member => ({ id, name: known.get(id)?.name ?? id, why: 'device' })),
    ...rows.filter((row) => !isBlank(row)).map(memberOfRow),
    ...tagged
      .map(({ id, name, model }): Member => ({ id, name, why: 'tag', ...(model && { model }) }))
      .sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name))),
  ];
}

function memberOfRow(row: GroupRow): Member {
  return { name: nameOfRow(row), why: 'row', ...(row.model && { model: row.model }) };
}
