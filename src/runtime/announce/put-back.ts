import { isRecord } from '../../json';
import type { Named } from './announcement';

/** Changes by announcements at one device that must be undone, as stored in the journal. */
export interface PutBack {
  readonly device: Named;
  readonly node: { readonly id: string; readonly name: string };
  /** Time at which this record was created, in epoch milliseconds. */
  readonly since: number;
  readonly volume?: VolumeChange | undefined;
  /** True if the text of an announcement might be on the screen. */
  readonly text?: true | undefined;
  /** Time after which the tone needs no stop, in epoch milliseconds; undefined if no tone must be stopped. */
  readonly toneUntil?: number | undefined;
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

/** Returns undefined if the value is invalid. */
export function putBackIn(value: unknown): PutBack | undefined {
  if (!isRecord(value)) return undefined;
  const { device, node, since, volume, text, toneUntil } = value;
  const isUnderstood =
    areTexts(device, ['id', 'name']) &&
    isRecord(device) &&
    ['string', 'undefined'].includes(typeof device.where) &&
    areTexts(node, ['id', 'name']) &&
    Number.isFinite(since) &&
    (volume === undefined || areTexts(volume, ['setting', 'before', 'written'])) &&
    (text === undefined || text === true) &&
    (toneUntil === undefined || Number.isFinite(toneUntil));
  return isUnderstood ? (value as unknown as PutBack) : undefined;
}

function areTexts(value: unknown, names: readonly string[]): boolean {
  return isRecord(value) && names.every((name) => typeof value[name] === 'string');
}

export function isSettled({ volume, text, toneUntil }: PutBack): boolean {
  return !volume && !text && toneUntil === undefined;
}

/**
 * Returns the change to record before `written` is sent. If an earlier change of the same setting is still in
 * effect, the result has the `before` of that change.
 * @param read the present value of the setting
 */
export function changedVolume(
  known: VolumeChange | undefined,
  setting: string,
  read: string,
  written: string,
): VolumeChange {
  const isStillOurs = known?.setting === setting && isOurs(known, read);
  return isStillOurs
    ? { setting, before: known.before, written, earlier: known.written }
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
