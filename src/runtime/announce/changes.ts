import { list, number, oneOf, open, type Shape, text } from '../../kernel/shape';
import type { AnnouncingNode, NamedDevice } from './announcement';

/** The changes that announcements have made at one device, and that must be put back. */
export interface DeviceChanges {
  readonly device: NamedDevice;
  readonly node: AnnouncingNode;
  /** One change for each changed setting. */
  readonly volumes: readonly VolumeChange[];
  /** True if the text of an announcement might be on the screen. */
  readonly text?: true | undefined;
  /** Time after which the tone needs no stop, in epoch milliseconds; undefined if no tone must be stopped. */
  readonly toneUntil?: number | undefined;
  /** True if it was told that this could not be put back. */
  readonly isTold?: true | undefined;
}

export interface VolumeChange {
  readonly setting: string;
  readonly before: string;
  readonly written: string;
  /**
   * The value that an announcement wrote before `written`. Kept until the write of `written` has succeeded.
   */
  readonly earlier?: string | undefined;
}

const named = { id: text(), name: text() };

export const changesShape: Shape<DeviceChanges> = open(
  {
    device: open(named, { where: text() }),
    node: open(named),
    volumes: list(open({ setting: text(), before: text(), written: text() }, { earlier: text() })),
  },
  { text: oneOf(true), toneUntil: number(), isTold: oneOf(true) },
);

export function isSettled({ volumes, text, toneUntil }: DeviceChanges): boolean {
  return volumes.length === 0 && !text && toneUntil === undefined;
}

export function volumeOf(changes: DeviceChanges | undefined, setting: string): VolumeChange | undefined {
  return changes?.volumes.find((change) => change.setting === setting);
}

/** Returns the changes of all volumes. @param change undefined if the setting is as it was */
export function withVolume(
  changes: DeviceChanges | undefined,
  setting: string,
  change: VolumeChange | undefined,
): readonly VolumeChange[] {
  const others = (changes?.volumes ?? []).filter((other) => other.setting !== setting);
  return change ? [...others, change] : others;
}

/**
 * Returns the change to record before `written` is sent. If an earlier change of the setting is still in
 * effect, the result has the `before` of that change.
 * @param known the earlier change of the same setting
 * @param read the present value of the setting
 */
export function changedVolume(
  known: VolumeChange | undefined,
  setting: string,
  read: string,
  written: string,
): VolumeChange {
  return known && isOurs(known, read)
    ? { setting, before: known.before, written, earlier: read }
    : { setting, before: read, written };
}

export function isOurs({ written, earlier }: VolumeChange, value: string): boolean {
  return isSameValue(value, written) || (earlier !== undefined && isSameValue(value, earlier));
}

/** Ignores blanks and the case of letters, since a device can return a level in another spelling. */
export function isSameValue(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

function plain(value: string): string {
  return value.replace(/\s/g, '').toLowerCase();
}
