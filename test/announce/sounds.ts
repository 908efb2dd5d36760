/** A WAV file of silence: 8 kHz, 16 bits, one channel. `claimed` is the size that its header says. */
export function wav(ms: number, claimed?: number, more: Buffer[] = []): Buffer {
  const data = Buffer.alloc(Math.round(ms * 16));
  const format = Buffer.alloc(24);
  format.write('fmt ');
  format.writeUInt32LE(16, 4);
  format.writeUInt16LE(1, 8);
  format.writeUInt16LE(1, 10);
  format.writeUInt32LE(8_000, 12);
  format.writeUInt32LE(16_000, 16);
  format.writeUInt16LE(2, 20);
  format.writeUInt16LE(16, 22);
  const head = Buffer.alloc(8);
  head.write('data');
  head.writeUInt32LE(claimed ?? data.length, 4);
  const riff = Buffer.alloc(12);
  riff.write('RIFF');
  riff.writeUInt32LE(claimed ?? 28 + data.length, 4);
  riff.write('WAVE', 8);
  return Buffer.concat([riff, ...more, format, head, data]);
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
