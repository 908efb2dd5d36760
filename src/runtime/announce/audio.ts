import { createHash } from 'node:crypto';
import { localized } from '../../catalogue/localized-message';
import { mpegLength } from './mpeg-frames';
import { invalid } from './properties';
import { isWav, type SoundLength, wavLength } from './wav-chunks';

export interface Audio {
  readonly content: Buffer;
  /** File name on the device, made from the MD5 checksum of the content. */
  readonly file: string;
  readonly ms: number;
}

export const maxAudioBytes = 20 * 1_024 * 1_024;
export const maxAudioMs = 10 * 60_000;

export class AudioReader {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * @throws DeviceError INVALID_PARAMETER if the content is no audio, is longer than `maxAudioMs`, or has
   * more than `maxAudioBytes`
   */
  async read(content: Buffer): Promise<Audio> {
    if (content.length > maxAudioBytes) {
      const size = (content.length / 1_024 / 1_024).toFixed(1);
      throw invalid(localized('audioTooLarge', { size }));
    }
    const md5 = await md5Of(content);
    const length = await this.lengthOf(content);
    if ('reason' in length) throw invalid(localized('audioUnreadable', { reason: length.reason }));
    const { ms } = length;
    if (ms > maxAudioMs) throw invalid(localized('audioTooLong', { minutes: (ms / 60_000).toFixed(1) }));
    return { content, file: `algo-${md5.slice(0, 16)}.${isWav(content) ? 'wav' : 'mp3'}`, ms };
  }

  async lengthOf(content: Buffer): Promise<SoundLength> {
    if (isWav(content)) return wavLength(content);
    // Reads one file after the other, since the slices of many files would fill one turn of the event loop.
    const reading = this.#last.then(() => mpegLength(content));
    this.#last = reading;
    return reading;
  }
}

/** Maximum number of bytes hashed in one turn of the event loop. */
const hashedAtOnce = 2 * 1_024 * 1_024;

async function md5Of(content: Buffer): Promise<string> {
  const hash = createHash('md5');
  for (let offset = 0; offset < content.length; offset += hashedAtOnce) {
    if (offset > 0) await new Promise(setImmediate);
    hash.update(content.subarray(offset, offset + hashedAtOnce));
  }
  return hash.digest('hex');
}
