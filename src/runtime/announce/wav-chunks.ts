import { type LocalizedMessage, localized } from '../../catalogue/localized-message';

/** The length of a sound in milliseconds, or the reason why the length cannot be read. */
export type SoundLength = { readonly ms: number } | { readonly reason: LocalizedMessage };

/**
 * Maximum number of chunks of a WAV file that are searched for the audio: a hostile file must not block
 * Node-RED.
 */
const maxChunks = 1_000;

/** The formats whose blocks have the length of one sample: PCM, float, A-law and µ-law. */
const sampleFormats: readonly number[] = [1, 3, 6, 7];
/** The format whose real format is a further field of the chunk. */
const extensible = 0xfffe;

interface Chunk {
  readonly name: string;
  readonly size: number;
  /** Place of the first byte of the content. */
  readonly start: number;
}

export function isWav(content: Buffer): boolean {
  return nameAt(content, 0) === 'RIFF' && nameAt(content, 8) === 'WAVE';
}

/**
 * Returns the length of the audio: its bytes divided by block align and sample rate. The bytes per second of
 * the header are often wrong. Counts at most the bytes that are there, since the header of a file written
 * through a pipe can claim more, or 0.
 */
export function wavLength(content: Buffer): SoundLength {
  let format: Chunk | undefined;
  for (const chunk of chunksFrom(content, 12)) {
    if (chunk.name === 'fmt ') format ??= chunk;
    if (chunk.name === 'data') return lengthOf(content, format, chunk);
  }
  return { reason: localized('wavWithoutAudio') };
}

function lengthOf(content: Buffer, format: Chunk | undefined, { size, start }: Chunk): SoundLength {
  if (!format || format.size < 16) return { reason: localized('wavHeader') };
  const kind = formatIn(content, format);
  if (kind !== extensible && !sampleFormats.includes(kind))
    return { reason: localized('wavFormat', { format: String(kind) }) };
  const sampleRate = content.readUInt32LE(format.start + 4);
  const blockAlign = content.readUInt16LE(format.start + 12);
  if (sampleRate === 0 || blockAlign === 0) return { reason: localized('wavHeader') };
  const there = content.length - start;
  const isUntold = size === 0 && !isFollowed(content, start);
  const bytes = isUntold ? there : Math.min(size, there);
  if (bytes === 0) return { reason: localized('wavWithoutAudio') };
  return { ms: (bytes / blockAlign / sampleRate) * 1_000 };
}

function formatIn(content: Buffer, { size, start }: Chunk): number {
  const format = content.readUInt16LE(start);
  return format === extensible && size >= 26 ? content.readUInt16LE(start + 24) : format;
}

/** Whether the bytes from a place on are chunks up to the end of the file, and not audio. */
function isFollowed(content: Buffer, place: number): boolean {
  const chunks = [...chunksFrom(content, place)];
  const last = chunks.at(-1);
  if (!last || !chunks.every(({ name }) => /^[ -~]{4}$/.test(name))) return false;
  const end = last.start + last.size;
  return end === content.length || end + (last.size % 2) === content.length;
}

function* chunksFrom(content: Buffer, place: number): Generator<Chunk> {
  let at = place;
  for (let count = 0; count < maxChunks && at + 8 <= content.length; count += 1) {
    const start = at + 8;
    const size = content.readUInt32LE(at + 4);
    yield { name: nameAt(content, at), size, start };
    const end = start + size;
    // A chunk with an odd size is followed by one byte that fills it up. Some programs omit this byte.
    const isNext = ['fmt ', 'data'].includes(nameAt(content, end));
    at = isNext ? end : end + (size % 2);
  }
}

function nameAt(content: Buffer, place: number): string {
  return content.toString('latin1', place, place + 4);
}
