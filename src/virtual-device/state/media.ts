/** Returns the bytes from `start` to `end` (excluded) as text. */
const latin = (content: Buffer, start: number, end: number): string => content.toString('latin1', start, end);

export function isWave(content: Buffer): boolean {
  return latin(content, 0, 4) === 'RIFF' && latin(content, 8, 12) === 'WAVE';
}

export function isMpeg(content: Buffer): boolean {
  if (latin(content, 0, 3) === 'ID3') return true;
  return content[0] === 0xff && ((content[1] ?? 0) & 0xe0) === 0xe0;
}

const media: readonly (readonly [type: string, isOne: (content: Buffer) => boolean])[] = [
  ['image/png', (content) => latin(content, 0, 8) === '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', (content) => latin(content, 0, 3) === '\xff\xd8\xff'],
  ['image/gif', (content) => /^GIF8[79]a/.test(latin(content, 0, 6))],
  ['image/webp', (content) => latin(content, 0, 4) === 'RIFF' && latin(content, 8, 12) === 'WEBP'],
  ['image/bmp', (content) => latin(content, 0, 2) === 'BM'],
  ['audio/wav', isWave],
  ['audio/mpeg', isMpeg],
];

export function mediaType(content: Buffer): string | undefined {
  return media.find(([, isOne]) => isOne(content))?.[0];
}

/** Bit rates of MPEG 1 and MPEG 2, layer III, in kbit/s; the header of a frame has the index of the rate. */
const bitRates: readonly (readonly number[])[] = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
];

export function secondsOf(content: Buffer): number | undefined {
  return isWave(content) ? waveSeconds(content) : mpegSeconds(content);
}

function waveSeconds(content: Buffer): number | undefined {
  const bytesPerSecond = content.length >= 44 ? content.readUInt32LE(28) : 0;
  return bytesPerSecond > 0 ? (content.length - 44) / bytesPerSecond : undefined;
}

/**
 * Returns the duration in seconds, calculated from the bit rate of the first frame; exact for a constant bit
 * rate.
 */
function mpegSeconds(content: Buffer): number | undefined {
  const tagged = latin(content, 0, 3) === 'ID3' && content.length > 10;
  const tag = tagged ? content.subarray(6, 10).reduce((size, byte) => size * 128 + byte, 0) + 10 : 0;
  const [first = 0, second = 0, third = 0] = content.subarray(tag, tag + 3);
  if (first !== 0xff || (second & 0xe6) !== 0xe2) return undefined;
  const rate = bitRates[(second & 0x08) === 0 ? 1 : 0]?.[third >> 4] ?? 0;
  return rate > 0 ? (content.length - tag) / (rate * 125) : undefined;
}
