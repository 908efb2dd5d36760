import { isRecord } from '../../json';
import type { Named } from './announcement';

/** The changes of announcements at one device that must be undone, in the form of the journal. */
export interface PutBack {
  readonly device: Named;
  readonly node: { readonly id: string; readonly name: string };
  /** Time of the first change in epoch milliseconds. */
  readonly since: number;
  readonly volume?: VolumeChange | undefined;
  /** Whether a text was shown, or might have been. */
  readonly text?: true | undefined;
  /** Time until which a tone that must be stopped can play, in epoch milliseconds. */
  readonly toneUntil?: number | undefined;
}

export interface VolumeChange {
  readonly setting: string;
  readonly before: string;
  readonly written: string;
  /** The value that an earlier announcement has written, while the last write has no clear answer. */
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
 * Returns what must be undone after a volume was written. A change that is still in effect keeps the value of
 * before the first change.
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

/** Whether the value of the setting is one that announcements have written. */
export function isOurs({ written, earlier }: VolumeChange, value: string): boolean {
  return isSameValue(value, written) || (earlier !== undefined && isSameValue(value, earlier));
}

/** Compares two values of a setting. Devices can write a level with a blank or other capitals. */
export function isSameValue(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

function plain(value: string): string {
  return value.replace(/\s/g, '').toLowerCase();
}
