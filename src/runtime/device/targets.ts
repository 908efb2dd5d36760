import { printable } from '../../catalogue/describe';
import { joinMessages, localized, type Text } from '../../catalogue/localized-message';
import { nothingSent } from '../../catalogue/sentence';
import { DeviceError } from '../../client/errors';
import { maskSecrets } from '../../client/secrets';
import { isUnresolved } from '../../kernel/property';
import type { Device } from './device';
import { defaultMaxParallel } from './group';
import {
  type DeviceGroup,
  deviceById,
  devicesNamed,
  devicesTagged,
  groupById,
  groupsNamed,
  mainNameOf,
} from './registry';

export type Target =
  | {
      readonly device: Device;
      readonly asked?: undefined;
      readonly error?: undefined;
      readonly dryRun?: true;
      /**
       * Whether the requested name, group or tag also selects the device that replaced the target in a
       * deploy. Absent for the device that the node itself selects.
       */
      stillIncludes?(successor: Device): boolean;
    }
  | {
      readonly device?: undefined;
      readonly asked: string;
      readonly error: DeviceError;
      readonly dryRun?: undefined;
      stillIncludes?: undefined;
    };

export interface Targets {
  /** Never empty, since a message without a target has one entry with an error. */
  readonly list: readonly Target[];
  /**
   * Whether the node or the message selects a single device, not a list, a group or a tag. Only then can the
   * response become the payload.
   */
  readonly single: boolean;
  readonly maxParallel: number;
}

export interface TargetProperties {
  readonly target?: unknown;
  readonly device?: unknown;
  readonly group?: unknown;
  /**
   * Used if `target` is `several`: ids of devices, `group:` with the id of a group, and `tag:` with a tag.
   */
  readonly targets?: unknown;
}

interface Found {
  readonly list: readonly Target[];
  readonly maxParallel?: number;
}

export function findTargets(properties: TargetProperties, message: { readonly device?: unknown }): Targets {
  if (properties.target === 'msg') return namedTargets(message.device);
  if (properties.target === 'several') return severalTargets(properties.targets);
  const isGroup = properties.target === 'group';
  const kind = isGroup ? 'group' : 'device';
  const id = String(properties[kind] ?? '');
  if (id === '') return noTargets('', localized(isGroup ? 'noGroupChosen' : 'noDeviceChosen'));
  const found = isGroup ? groupById(id) : deviceById(id);
  if (!found) return noTargets(id, reasonOfMissing(id, isGroup));
  if ('members' in found) return { maxParallel: defaultMaxParallel, ...membersOf(found, id), single: false };
  return { list: [{ device: found }], single: true, maxParallel: defaultMaxParallel };
}

function reasonOfMissing(id: string, isGroup: boolean): Text {
  if (isUnresolved(id)) return localized(isGroup ? 'unsetGroup' : 'unsetDevice', { variable: id });
  return localized(isGroup ? 'chosenGroupGone' : 'chosenDeviceGone');
}

function severalTargets(targets: unknown): Targets {
  const asked = Array.isArray(targets) ? targets.filter((one) => typeof one === 'string' && one !== '') : [];
  return asked.length > 0 ? namedTargets(asked) : noTargets('', localized('noneChosen'));
}

function namedTargets(asked: unknown): Targets {
  const names = Array.isArray(asked) ? entriesOf(asked) : [asked];
  if (!names) return noTargets('', `msg.device has more than ${maxNames} names`);
  const unknownNames = new UnknownNames();
  const found = eachOnce(names).flatMap((name) => {
    const one = foundBy(name);
    if (!('reason' in one)) return one;
    return unknownNames.isFull ? unknownNames.count() : unknownNames.receiptOf(one);
  });
  const list = [...found.flatMap((one) => one.list), ...unknownNames.others];
  if (list.length === 0)
    return noTargets('', joinMessages(['msg.device is an empty list', 'name at least one device']));
  const single = typeof asked === 'string' && !/^(?:tag|group):/.test(asked);
  const strictest = found.reduce(
    (least, { maxParallel = least }) => Math.min(least, maxParallel),
    Number.POSITIVE_INFINITY,
  );
  const maxParallel = Number.isFinite(strictest) ? strictest : defaultMaxParallel;
  return { list: found.length > 1 ? unique(list) : list, single, maxParallel };
}

/** Maximum length of a list of names. A longer list is a mistake and would block the event loop. */
const maxNames = 200_000;

/** Maximum number of unknown names that each get a receipt; one more receipt counts the remaining names. */
const maxUnknownReceipts = 1_000;

interface UnknownName {
  readonly asked: string;
  reason(): Text;
}

class UnknownNames {
  #count = 0;

  get isFull(): boolean {
    return this.#count >= maxUnknownReceipts;
  }

  receiptOf(name: UnknownName): Found {
    this.#count += 1;
    return unknownTarget(name);
  }

  count(): [] {
    this.#count += 1;
    return [];
  }

  get others(): readonly Target[] {
    const count = this.#count - maxUnknownReceipts;
    if (count <= 0) return [];
    const reason = () => `${count} more names match no device`;
    return unknownTarget({ asked: `${count} more names`, reason }).list;
  }
}

/**
 * Returns the entries of a list; undefined for more than `maxNames` entries. The length is read only once: a
 * proxy could return a different length each time.
 */
function entriesOf(list: readonly unknown[]): unknown[] | undefined {
  const { length } = list;
  if (!(length <= maxNames)) return undefined;
  const entries: unknown[] = [];
  for (let index = 0; index < length; index += 1) if (index in list) entries.push(list[index]);
  return entries;
}

/** Removes repeated groups and tags, so that each group and each tag is looked up only once. */
function eachOnce(names: readonly unknown[]): unknown[] {
  const seen = new Set<unknown>();
  return names.filter((name) => {
    if (typeof name !== 'string' || !/^(?:tag|group):/.test(name)) return true;
    if (seen.has(name)) return false;
    seen.add(name);
    return true;
  });
}

function foundBy(asked: unknown): Found | UnknownName {
  if (typeof asked !== 'string' || asked === '') {
    return unknownName('', () => 'msg.device must name a device, "group:…", "tag:…", or a list of these');
  }
  if (asked.startsWith('group:')) return foundInGroup(asked);
  if (asked.startsWith('tag:')) return foundByTag(asked);
  const device = oneOf('device', asked, deviceById(asked), devicesNamed(asked));
  if (!('id' in device)) return device;
  return { list: [{ device, stillIncludes: ({ id, name }) => id === asked || name === asked }] };
}

function foundInGroup(asked: string): Found | UnknownName {
  const name = asked.slice('group:'.length).trim();
  const group = oneOf('group', name, groupById(name), groupsNamed(name), asked);
  return 'members' in group ? membersOf(group, name) : group;
}

function membersOf(group: DeviceGroup, asked: string): Found {
  const { id, members, dryRun } = group;
  if (members.length === 0) {
    const reason = () => 'the group has no members';
    return unknownTarget(unknownName(`group:${group.name}`, reason));
  }
  const stillIncludes = (successor: Device): boolean => {
    const now = groupById(id);
    return now !== undefined && (now.id === asked || now.name === asked) && now.has(successor);
  };
  try {
    const more = { stillIncludes, ...(dryRun && { dryRun }) };
    const list = members.map((member) => (member.device ? { device: member.device, ...more } : member));
    return { list, maxParallel: group.maxParallel };
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error;
    return { list: [{ asked: `group:${group.name}`, error }] };
  }
}

function foundByTag(asked: string): Found | UnknownName {
  const tag = asked.slice('tag:'.length).trim();
  const tagged = devicesTagged(tag);
  if (tagged.length === 0) return unknownName(asked, () => 'no device has this tag');
  const stillIncludes = ({ tags }: Device) => tags.includes(tag);
  return { list: unique(tagged.map((device) => ({ device, stillIncludes }))) };
}

/**
 * Returns the device or group with an id or name. An id takes precedence over names, and a name that several
 * entries have is an error.
 */
function oneOf<T extends Device | DeviceGroup>(
  kind: 'device' | 'group',
  name: string,
  byId: T | undefined,
  named: readonly T[],
  asked = name,
): T | UnknownName {
  const first = byId ?? named[0];
  if (!first) return unknownName(asked, () => `no ${kind} has this name`);
  if (byId || named.length === 1) return first;
  const reason = () => joinMessages([`${named.length} ${kind}s have this name`, `use the id of the ${kind}`]);
  return unknownName(asked, reason);
}

/**
 * Removes duplicate devices, including rows that are other names of a device. The remaining target is a dry
 * run if one of the duplicates is a dry run.
 */
function unique(targets: readonly Target[]): Target[] {
  const dryRuns = new Set(targets.flatMap(({ device, dryRun }) => (dryRun ? [mainNameOf(device)] : [])));
  const seen = new Set<Device>();
  return targets.flatMap((target): Target[] => {
    if (!target.device) return [target];
    const device = mainNameOf(target.device);
    if (seen.has(device)) return [];
    seen.add(device);
    return [dryRuns.has(device) ? { ...target, dryRun: true } : target];
  });
}

function noTargets(asked: string, reason: Text): Targets {
  return {
    ...unknownTarget(unknownName(asked, () => reason)),
    single: false,
    maxParallel: defaultMaxParallel,
  };
}

function unknownName(asked: string, reason: UnknownName['reason']): UnknownName {
  return { asked, reason };
}

function unknownTarget({ asked, reason }: UnknownName): Found {
  let error: DeviceError | undefined;
  const target = {
    asked: cut(asked, maxAskedLength),
    get error(): DeviceError {
      error ??= new DeviceError('NOT_CONFIGURED', nothingSent(reason()), {
        place: asked === '' ? undefined : `"${cut(asked)}"`,
      });
      return error;
    },
  };
  return { list: [target] };
}

const maxAskedLength = 200;

function cut(text: string, maxLength = 80): string {
  return printable(maskSecrets(text.length > maxLength ? `${text.slice(0, maxLength)}…` : text));
}
