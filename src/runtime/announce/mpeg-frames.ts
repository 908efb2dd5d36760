interface Frame {
  readonly bytes: number;
  readonly ms: number;
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
 * Returns the length of an MP3 file in milliseconds, as the sum of its complete frames; 0 if no frame is
 * found. The length that the file itself states can be missing or wrong.
 */
export function mpegLengthMs(content: Uint8Array): number {
  let ms = 0;
  let offset = tagBytes(content);
  let isInStep = false;
  while (offset + 4 <= content.length) {
    const frame = frameAt(content, offset);
    // Other bytes can look like a header by chance, so a frame or the end of the file must follow
    // the first frame.
    const end = offset + (frame?.bytes ?? 1);
    isInStep = frame !== undefined && (isInStep || isFollowed(content, end));
    if (frame && isInStep && end <= content.length) ms += frame.ms;
    offset = isInStep ? end : offset + 1;
  }
  return ms;
}

function isFollowed(content: Uint8Array, offset: number): boolean {
  return offset >= content.length || frameAt(content, offset) !== undefined;
}

/** Returns the size of the ID3 tag at the start, in bytes; 0 if there is no tag. */
export function tagBytes(content: Uint8Array): number {
  const [i, d, three, , , , a = 0, b = 0, c = 0, e = 0] = content;
  if (i !== 0x49 || d !== 0x44 || three !== 0x33) return 0;
  return 10 + (((a & 0x7f) << 21) | ((b & 0x7f) << 14) | ((c & 0x7f) << 7) | (e & 0x7f));
}

function frameAt(content: Uint8Array, offset: number): Frame | undefined {
  const first = content[offset] ?? 0;
  const second = content[offset + 1] ?? 0;
  const third = content[offset + 2] ?? 0;
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
  return { bytes, ms: (samples / sampleRate) * 1_000 };
}
