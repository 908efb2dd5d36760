interface WavHeader {
  /** The size of the audio that the header says; by default the true one. */
  readonly claimed: number;
  readonly format: number;
  readonly bytesPerSecond: number;
  readonly blockAlign: number;
  readonly sampleRate: number;
  /** The chunks in front of the format, and behind the audio. */
  readonly before: readonly Buffer[];
  readonly after: readonly Buffer[];
}

const plain = {
  ...{ format: 1, bytesPerSecond: 16_000, blockAlign: 2, sampleRate: 8_000 },
  ...{ before: [], after: [] },
};

/** A WAV file of silence: 16 bytes for each ms. Unless `header` says otherwise: 8 kHz, 16 bits, one channel. */
export function wav(ms: number, header: Partial<WavHeader> = {}): Buffer {
  const data = Buffer.alloc(Math.round(ms * 16));
  const given = { ...plain, claimed: data.length, ...header };
  const format = Buffer.alloc(24);
  format.write('fmt ');
  format.writeUInt32LE(16, 4);
  format.writeUInt16LE(given.format, 8);
  format.writeUInt16LE(1, 10);
  format.writeUInt32LE(given.sampleRate, 12);
  format.writeUInt32LE(given.bytesPerSecond, 16);
  format.writeUInt16LE(given.blockAlign, 20);
  format.writeUInt16LE(16, 22);
  const head = Buffer.alloc(8);
  head.write('data');
  head.writeUInt32LE(given.claimed, 4);
  const riff = Buffer.alloc(12);
  riff.write('RIFF');
  riff.writeUInt32LE(header.claimed ?? 28 + data.length, 4);
  riff.write('WAVE', 8);
  return Buffer.concat([riff, ...given.before, format, head, data, ...given.after]);
}

/** Indexes of bit rates of MPEG 1 layer 3 in a header: 32, 128 and 320 kbit/s. */
export const [low, middle, high] = [1, 9, 14] as const;

/** Frames of MPEG 1 layer 3 at 44.1 kHz, each 1,152 samples of silence. */
export function mp3(rates: readonly number[]): Buffer {
  const kilobits: Record<number, number> = { [low]: 32, [middle]: 128, [high]: 320 };
  const frames = rates.map((rate) => {
    const frame = Buffer.alloc(Math.floor((144 * (kilobits[rate] ?? 0) * 1_000) / 44_100));
    frame.set([0xff, 0xfb, rate << 4, 0xc0]);
    return frame;
  });
  return Buffer.concat(frames);
}

/** A chunk of a WAV file. */
export function chunk(name: string, size: number): Buffer {
  const bytes = Buffer.alloc(8 + size + (size % 2));
  bytes.write(name);
  bytes.writeUInt32LE(size, 4);
  return bytes;
}

/** A tag in front of an MP3 file. */
export function id3(size: number): Buffer {
  const tag = Buffer.alloc(10 + size);
  tag.write('ID3');
  tag.set([4, 0, 0, ...[21, 14, 7, 0].map((bits) => (size >> bits) & 0x7f)], 3);
  return tag;
}
