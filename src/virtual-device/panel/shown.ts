import type { Core } from '../core';
import { mediaType } from '../state/media';
import type { DeviceState, PlayingTone } from '../state/state';

/** A file that a screen names: whether the file exists, and its address if the panel can show the file. */
export interface ShownPicture {
  readonly isThere: boolean;
  /** URL relative to the panel; absent if the file is not a picture. */
  readonly address?: string;
}

/** The sound that a panel plays: a recording of the device, or notes instead if `address` is absent. */
export interface AudibleSound {
  readonly name: string;
  readonly loop: boolean;
  /**
   * Start of a tone that ends by itself, in device time as epoch milliseconds. Each restart of the tone
   * changes this time.
   */
  readonly at?: number;
  /** Seconds between two repetitions. */
  readonly interval?: number;
  readonly address?: string;
}

const pictures = ['image1', 'image2', 'icon1', 'icon2', 'clockBgImage'] as const;

export function shownPictures(core: Core): Readonly<Record<string, ShownPicture>> {
  const screen = core.keeper.state.screen ?? {};
  const names = pictures.map((field) => screen[field]).filter((name) => typeof name === 'string');
  return Object.fromEntries(names.map((name) => [name, pictureOf(core, name)]));
}

function pictureOf(core: Core, name: string): ShownPicture {
  const path = core.files.find(name);
  const content = path === undefined ? undefined : core.files.get(path);
  if (path === undefined || content === undefined) return { isThere: false };
  const isPicture = mediaType(content)?.startsWith('image/');
  return isPicture ? { isThere: true, address: addressOf(core, path) } : { isThere: true };
}

/** The address includes the checksum, so that a replaced file has a new address. */
function addressOf({ files }: Core, path: string): string {
  return `file?path=${encodeURIComponent(path)}&md5=${files.md5sum(path)}`;
}

/** Models whose test flashes a light and makes no sound (section 4.5). */
const silentTests = ['8128', '8138'];

export function audibleSound(core: Core): AudibleSound | null {
  const { tone, test } = core.keeper.state;
  if (!tone) return testSound(core, test);
  const address = toneAddress(core, tone);
  const at = core.keeper.deadlines['end of tone']?.from;
  return {
    name: tone.path,
    loop: tone.loop,
    ...(at === undefined ? {} : { at }),
    ...(tone.interval === undefined ? {} : { interval: tone.interval }),
    ...(address === undefined ? {} : { address }),
  };
}

function testSound({ model }: Core, test: DeviceState['test']): AudibleSound | null {
  if (test === 'stopped' || silentTests.includes(model.number)) return null;
  return { name: 'test tone', loop: test === 'looping' };
}

function toneAddress(core: Core, tone: PlayingTone): string | undefined {
  const recording = core.recordings.get(tone);
  if (recording) return `file?playing=${recording.at}`;
  const path = core.files.find(tone.path, 'tones');
  return path !== undefined && core.audioOf(tone.path) ? addressOf(core, path) : undefined;
}

/**
 * Returns the bytes of a file that a snapshot refers to; undefined if the file no longer exists.
 * @param query query of the file's URL in the snapshot
 */
export function shownFile(core: Core, query: URLSearchParams): Buffer | undefined {
  const { tone } = core.keeper.state;
  if (query.has('playing')) return tone ? core.recordings.get(tone)?.audio : undefined;
  return core.files.get(query.get('path') ?? '');
}
