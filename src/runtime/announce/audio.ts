import { createHash } from 'node:crypto';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { DeviceError } from '../../client/errors';
import type { AudioResponse } from './audio-worker';

export interface Audio {
  readonly content: Buffer;
  /** File name on the device, made from the MD5 checksum of the content. */
  readonly file: string;
  readonly ms: number;
}

export const maxAudioBytes = 20 * 1_024 * 1_024;
export const maxAudioMs = 10 * 60_000;

/**
 * Time limit for reading one MP3 file in the thread, in milliseconds. It includes the start of the thread,
 * which takes seconds on a busy computer.
 */
const limitMs = 60_000;
/** Time without work after which the thread ends, in milliseconds. */
const idleMs = 60_000;
/** Maximum heap of the thread, in megabytes. The buffers of the files are not part of the heap. */
const maxHeapMb = 96;
/** Maximum number of files whose length is remembered. */
const maxKnown = 200;

/** The reader failed, or took too long. */
const unread = Symbol();
/** Length in milliseconds; undefined if the content is no audio. */
type Reading = number | undefined | typeof unread;

/** MP3 files are read in a worker thread, since a hostile file can block or crash its reader. */
export class AudioReader {
  readonly #known = new Map<string, number | undefined>();
  readonly #waiting = new Map<number, (ms: Reading) => void>();
  #worker: Worker | undefined;
  #numbers = 0;
  #last: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;

  constructor(private readonly limits = { limitMs, idleMs }) {}

  /**
   * @throws DeviceError INVALID_PARAMETER if the content is no audio, is longer than `maxAudioMs`, or has
   * more than `maxAudioBytes`
   */
  async read(content: Buffer): Promise<Audio> {
    if (content.length > maxAudioBytes) {
      const megabytes = (content.length / 1_024 / 1_024).toFixed(1);
      throw invalid(`the audio must have at most 20 MB; it has ${megabytes} MB`);
    }
    const md5 = await md5Of(content);
    const ms = await this.#knownLengthOf(content, md5);
    if (ms === undefined) throw invalid('the audio must be a WAV or an MP3 file; this Buffer is neither');
    if (ms > maxAudioMs) {
      const minutes = (ms / 60_000).toFixed(1);
      throw invalid(`the audio must be at most 10 minutes long; it has ${minutes} minutes`);
    }
    return { content, file: `algo-${md5.slice(0, 16)}.${isWav(content) ? 'wav' : 'mp3'}`, ms };
  }

  /** Returns the length of the audio in milliseconds; undefined if the length cannot be read. */
  async lengthOf(content: Buffer): Promise<number | undefined> {
    return this.#knownLengthOf(content, await md5Of(content));
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
    for (const number of [...this.#waiting.keys()]) this.#answer(number, unread);
  }

  async #knownLengthOf(content: Buffer, md5: string): Promise<number | undefined> {
    if (this.#known.has(md5)) return this.#remember(md5, this.#known.get(md5));
    const ms = await this.#readLength(content);
    // A failed reading is not remembered, since a later reading of the same file might be fast enough.
    return ms === unread ? undefined : this.#remember(md5, ms);
  }

  #readLength(content: Buffer): Promise<Reading> | Reading {
    if (isWav(content)) return wavLengthMs(content);
    if (!looksLikeMpeg(content)) return undefined;
    // Reads one file after the other, so that the wait for other files does not count against the time limit.
    const reading = this.#last.then(() => this.#ask(content));
    this.#last = reading.catch(() => {});
    return reading;
  }

  #ask(content: Buffer): Promise<Reading> {
    this.#numbers += 1;
    const number = this.#numbers;
    clearTimeout(this.#idle);
    const worker = this.#open();
    return new Promise<Reading>((resolve) => {
      const timer = setTimeout(() => this.#end(worker), this.limits.limitMs);
      timer.unref();
      this.#waiting.set(number, (ms) => {
        clearTimeout(timer);
        resolve(ms);
      });
      const copy = new Uint8Array(content);
      worker.postMessage({ number, content: copy }, [copy.buffer]);
    }).finally(() => {
      this.#idle = setTimeout(() => void this.close(), this.limits.idleMs).unref();
    });
  }

  #open(): Worker {
    if (this.#worker) return this.#worker;
    const resourceLimits = { maxOldGenerationSizeMb: maxHeapMb };
    const worker = new Worker(path.join(__dirname, 'audio-worker.js'), { resourceLimits });
    worker.unref();
    worker.on('message', ({ number, ms }: AudioResponse) => this.#answer(number, ms));
    worker.on('error', () => this.#end(worker));
    this.#worker = worker;
    return worker;
  }

  /**
   * Called after a fault in the thread or at the time limit. The file under way is then treated as a file
   * without audio.
   */
  #end(worker: Worker): void {
    if (this.#worker === worker) this.#worker = undefined;
    void worker.terminate();
    for (const number of [...this.#waiting.keys()]) this.#answer(number, unread);
  }

  #answer(number: number, ms: Reading): void {
    const answer = this.#waiting.get(number);
    this.#waiting.delete(number);
    answer?.(ms);
  }

  #remember(md5: string, ms: number | undefined): number | undefined {
    this.#known.delete(md5);
    this.#known.set(md5, ms);
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxKnown && oldest !== undefined) this.#known.delete(oldest);
    return ms;
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

function looksLikeMpeg([first, second = 0, third]: Uint8Array): boolean {
  const isTag = first === 0x49 && second === 0x44 && third === 0x33;
  return isTag || (first === 0xff && (second & 0xe0) === 0xe0 && (second & 0x06) === 0x02);
}

function invalid(reason: string): DeviceError {
  return new DeviceError('INVALID_PARAMETER', `announce: ${reason}; nothing was sent`);
}

/**
 * Maximum number of chunks of a WAV file that are searched for the audio: a hostile file must not block
 * Node-RED.
 */
const maxChunks = 1_000;

function isWav(content: Uint8Array): boolean {
  return textAt(content, 0) === 'RIFF' && textAt(content, 8) === 'WAVE';
}

/**
 * Returns the length in milliseconds; undefined if the file has no audio. Counts at most the bytes that are
 * there, since the header of a file written through a pipe can claim more.
 */
function wavLengthMs(content: Uint8Array): number | undefined {
  if (!isWav(content)) return undefined;
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  let bytesPerSecond = 0;
  let offset = 12;
  for (let count = 0; count < maxChunks && offset + 8 <= content.length; count += 1) {
    const name = textAt(content, offset);
    const size = view.getUint32(offset + 4, true);
    const start = offset + 8;
    if (name === 'fmt ' && start + 12 <= content.length) bytesPerSecond = view.getUint32(start + 8, true);
    if (name === 'data') {
      const bytes = Math.min(size, content.length - start);
      return bytesPerSecond > 0 && bytes > 0 ? (bytes / bytesPerSecond) * 1_000 : undefined;
    }
    // A chunk with an odd size is followed by one padding byte.
    offset = start + size + (size % 2);
  }
  return undefined;
}

function textAt(content: Uint8Array, offset: number): string {
  return String.fromCharCode(...content.subarray(offset, offset + 4));
}
