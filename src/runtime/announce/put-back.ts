import { list, number, oneOf, open, reader, text } from '../../kernel/shape';
import type { NamedDevice } from './announcement';

/** Changes by announcements at one device that must be undone, as stored in the journal. */
export interface PutBack {
  readonly device: NamedDevice;
  readonly node: { readonly id: string; readonly name: string };
  /** One change for each changed setting; undefined if no setting is changed. */
  readonly volumes?: readonly VolumeChange[] | undefined;
  /** True if the text of an announcement might be on the screen. */
  readonly text?: true | undefined;
  /** Time after which the tone needs no stop, in epoch milliseconds; undefined if no tone must be stopped. */
  readonly toneUntil?: number | undefined;
  /** True if a failure to undo these changes was told. */
  readonly isTold?: true | undefined;
}

export interface VolumeChange {
  readonly setting: string;
  readonly before: string;
  readonly written: string;
  /**
   * The value that an announcement wrote before `written`. Kept until the write of `written` has succeeded.
   */
  readonly earlier?: string;
}

export const putBackPrefix = 'announce/back/';

const named = open({ id: text(), name: text() });
const volumeChange = open({ setting: text(), before: text(), written: text() }, { earlier: text() });

/** Returns undefined if the value is invalid. */
export const putBackIn = reader(
  open(
    { device: open({ id: text(), name: text() }, { where: text() }), node: named },
    { volumes: list(volumeChange), text: oneOf(true), toneUntil: number(), isTold: oneOf(true) },
  ),
) as (value: unknown) => PutBack | undefined;

export function isSettled({ volumes, text, toneUntil }: PutBack): boolean {
  return !volumes && !text && toneUntil === undefined;
}

export function volumeOf(back: PutBack | undefined, setting: string): VolumeChange | undefined {
  return back?.volumes?.find((change) => change.setting === setting);
}

/** @param change undefined if the setting is as it was */
export function withVolume(back: PutBack, setting: string, change: VolumeChange | undefined): PutBack {
  const others = (back.volumes ?? []).filter((other) => other.setting !== setting);
  const volumes = change ? [...others, change] : others;
  return { ...back, volumes: volumes.length > 0 ? volumes : undefined };
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
