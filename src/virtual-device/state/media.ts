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

export function secondsOf(content: Buffer): number | undefined {
  return isWave(content) ? waveSeconds(content) : mpegSeconds(content);
}

/** Returns the size of the audio divided by the bytes of a sample of all channels and by the sample rate. */
function waveSeconds(content: Buffer): number | undefined {
  let bytesPerSecond = 0;
  for (let offset = 12; offset + 8 <= content.length; ) {
    const name = latin(content, offset, offset + 4);
    const size = content.readUInt32LE(offset + 4);
    const body = content.subarray(offset + 8);
    if (name === 'fmt ' && body.length >= 16) bytesPerSecond = body.readUInt32LE(4) * body.readUInt16LE(12);
    if (name === 'data') {
      // A recording that was written as a stream has the size 0, or one that is too large.
      const bytes = size === 0 ? body.length : Math.min(size, body.length);
      return bytesPerSecond > 0 ? bytes / bytesPerSecond : undefined;
    }
    offset += 8 + size + (size & 1);
  }
  return undefined;
}

/** Bit rates of MPEG 1 and MPEG 2, layer III, in kbit/s; the header of a frame has the index of the rate. */
const bitRates: readonly (readonly number[])[] = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
];

/** Sample rates of MPEG 1 in hertz. MPEG 2 has half of each rate, and MPEG 2.5 a quarter. */
const sampleRates: readonly number[] = [44_100, 48_000, 32_000];

/** Returns the duration of all frames in seconds, from the first two that follow each other. */
function mpegSeconds(content: Buffer): number | undefined {
  let seconds = 0;
  let offset = 0;
  while (offset < content.length) {
    const frame = frameAt(content, offset);
    const isStart = seconds === 0 && frame && !frameAt(content, offset + frame.bytes);
    if (frame && !isStart) seconds += frame.seconds;
    offset += frame && !isStart ? frame.bytes : Math.max(1, tagSize(content, offset));
  }
  return seconds > 0 ? seconds : undefined;
}

/** Returns the size of an ID3 tag with its header of ten bytes; 0 without a tag. */
function tagSize(content: Buffer, offset: number): number {
  if (content[offset] !== 0x49 || latin(content, offset, offset + 3) !== 'ID3') return 0;
  const size = content.subarray(offset + 6, offset + 10);
  return size.reduce((sum, byte) => sum * 128 + byte, 0) + 10;
}

function frameAt(content: Buffer, offset: number): { bytes: number; seconds: number } | undefined {
  if (content[offset] !== 0xff) return undefined;
  const [second = 0, third = 0] = [content[offset + 1], content[offset + 2]];
  if ((second & 0xe6) !== 0xe2) return undefined;
  const isFirstVersion = (second & 0x18) === 0x18;
  const divisor = isFirstVersion ? 1 : (second & 0x18) === 0x10 ? 2 : 4;
  const sampleRate = (sampleRates[(third >> 2) & 3] ?? 0) / divisor;
  const rate = bitRates[isFirstVersion ? 0 : 1]?.[third >> 4] ?? 0;
  if (rate === 0 || sampleRate === 0) return undefined;
  const seconds = (isFirstVersion ? 1152 : 576) / sampleRate;
  return { bytes: Math.floor(seconds * rate * 125) + ((third >> 1) & 1), seconds };
}
