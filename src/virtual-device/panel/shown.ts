import type { Core } from '../core';
import { mediaType } from '../state/media';
import type { DeviceState, PlayingTone } from '../state/state';

/** A file that the screen names: whether it is on the device, and where the panel gets it if it can draw it. */
export interface ShownPicture {
  readonly isThere: boolean;
  /** Relative to the panel's own. */
  readonly address?: string;
}

/** What is heard: the uploaded file itself, or a stand-in when there is no address. */
export interface HeardSound {
  readonly name: string;
  readonly loop: boolean;
  /** When it began, as far as it is known to end: the same tone again is another sound. */
  readonly at?: number;
  /** Seconds between two rounds. */
  readonly interval?: number;
  readonly address?: string;
}

/** Fields of screen requests that name a file (section 4.8). */
const pictures = ['image1', 'image2', 'icon1', 'icon2', 'clockBgImage'] as const;

/** The files that the screen names, by the names that it has for them. */
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

/** The checksum makes another address of a file that was replaced. */
function addressOf({ files }: Core, path: string): string {
  return `file?path=${encodeURIComponent(path)}&md5=${files.md5sum(path)}`;
}

/** Models whose test is a light only (section 4.5). */
const silentTests = ['8128', '8138'];

/** What the device's speaker would give just now; nothing while it is silent. */
export function heardSound(core: Core): HeardSound | null {
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

function testSound({ model }: Core, test: DeviceState['test']): HeardSound | null {
  if (test === 'stopped' || silentTests.includes(model.number)) return null;
  return { name: 'test tone', loop: test === 'looping' };
}

function toneAddress(core: Core, tone: PlayingTone): string | undefined {
  const recording = core.recordings.get(tone);
  if (recording) return `file?playing=${recording.at}`;
  const path = core.files.find(tone.path, 'tones');
  return path !== undefined && core.audioOf(tone.path) ? addressOf(core, path) : undefined;
}

/** The bytes behind an address of this module, given its query; nothing when there are none any more. */
export function shownFile(core: Core, query: URLSearchParams): Buffer | undefined {
  const { tone } = core.keeper.state;
  if (query.has('playing')) return tone ? core.recordings.get(tone)?.audio : undefined;
  return core.files.get(query.get('path') ?? '');
}
