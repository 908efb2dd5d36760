import { localized } from '../../catalogue/localized-message';
import { Slices } from '../../kernel/time/slices';
import type { SoundLength } from './wav-chunks';

interface Frame {
  readonly bytes: number;
  readonly ms: number;
  readonly version: number;
  readonly sampleRate: number;
}

/**
 * Bit rates of layer 3 in kbit/s, from header index 1. The first row is for MPEG 1, the second row for MPEG 2
 * and 2.5.
 */
const bitRates = [
  [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;

const sampleRates = [44_100, 48_000, 32_000] as const;

/**
 * Maximum number of bytes behind the tags in which the first frame is searched. In many megabytes of other
 * data, bytes that look like two frames come by chance.
 */
const maxSearched = 1_024 * 1_024;

/** Number of frames, or of bytes that are no frame, between two looks at the clock. */
const stepsInSlice = 5_000;

/**
 * Returns the length of an MP3 file as the sum of its complete frames, from the first frame that is followed
 * by another one. The length that the file itself states can be missing or wrong.
 */
export async function mpegLength(
  content: Uint8Array,
  slices: Pick<Slices, 'isOverAt' | 'next'> = new Slices(),
): Promise<SoundLength> {
  let ms = 0;
  let at = 0;
  let searched = 0;
  /** The last frame, if it is directly before `at`. */
  let last: Frame | undefined;
  while (at + 4 <= content.length && searched < maxSearched) {
    if (slices.isOverAt(stepsInSlice)) await slices.next();
    last = frameAfter(content, at, last);
    if (last) {
      at += last.bytes;
      if (at <= content.length) ms += last.ms;
    } else {
      const tag = tagBytes(content, at);
      at += Math.max(1, tag);
      if (ms === 0) searched = tag > 0 ? 0 : searched + 1;
    }
  }
  if (ms > 0) return { ms };
  return { reason: localized(tagBytes(content, 0) > 0 ? 'mp3WithoutFrames' : 'noSound') };
}

/**
 * Returns the frame at a place. Other bytes can look like a header by chance, so that a frame that follows no
 * other frame must be followed by one.
 */
function frameAfter(content: Uint8Array, at: number, last: Frame | undefined): Frame | undefined {
  const frame = frameAt(content, at);
  if (!frame || (last && isAlike(frame, last))) return frame;
  const next = frameAt(content, at + frame.bytes);
  return next && isAlike(frame, next) ? frame : undefined;
}

function isAlike(one: Frame, other: Frame): boolean {
  return one.version === other.version && one.sampleRate === other.sampleRate;
}

/** Returns the size of the ID3 tag at a place, in bytes; 0 if there is no tag. */
function tagBytes(content: Uint8Array, at: number): number {
  if (content[at] !== 0x49 || content[at + 1] !== 0x44 || content[at + 2] !== 0x33) return 0;
  const a = content[at + 6] ?? 0xff;
  const b = content[at + 7] ?? 0xff;
  const c = content[at + 8] ?? 0xff;
  const d = content[at + 9] ?? 0xff;
  // The highest bit of each byte of the size is 0.
  return ((a | b | c | d) & 0x80) === 0 ? 10 + ((a << 21) | (b << 14) | (c << 7) | d) : 0;
}

function frameAt(content: Uint8Array, at: number): Frame | undefined {
  const first = content[at] ?? 0;
  const second = content[at + 1] ?? 0;
  const third = content[at + 2] ?? 0;
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return undefined;
  const version = (second >> 3) & 3;
  const isLayer3 = ((second >> 1) & 3) === 1;
  // Version 3 is MPEG 1, 2 is MPEG 2, 0 is MPEG 2.5, and 1 is reserved.
  if (version === 1 || !isLayer3) return undefined;
  const kilobits = bitRates[version === 3 ? 0 : 1][(third >> 4) - 1];
  const fullRate = sampleRates[(third >> 2) & 3];
  if (kilobits === undefined || fullRate === undefined) return undefined;
  const sampleRate = fullRate / (version === 3 ? 1 : version === 2 ? 2 : 4);
  const samples = version === 3 ? 1_152 : 576;
  const bytes = Math.floor(((samples / 8) * kilobits * 1_000) / sampleRate) + ((third >> 1) & 1);
  return { bytes, ms: (samples / sampleRate) * 1_000, version, sampleRate };
}
