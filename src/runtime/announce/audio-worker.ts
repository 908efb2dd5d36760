import { parentPort } from 'node:worker_threads';
import { mpegLengthMs, tagBytes } from './mpeg-frames';

export interface AudioRequest {
  readonly number: number;
  readonly content: Uint8Array;
}

export interface AudioResponse {
  readonly number: number;
  /** Length in milliseconds; undefined if the content is no MP3 file. */
  readonly ms: number | undefined;
}

/**
 * Maximum number of bytes that the parser gets. A larger part of a hostile file can take the parser many
 * seconds.
 */
const headBytes = 64 * 1_024;

async function lengthOf(content: Uint8Array): Promise<number | undefined> {
  const ms = mpegLengthMs(content);
  if (ms === 0) return undefined;
  const { parseBuffer } = await import('music-metadata');
  const start = tagBytes(content);
  const head = content.subarray(start, start + headBytes);
  const options = { skipCovers: true, skipPostHeaders: true };
  const { format } = await parseBuffer(head, { mimeType: 'audio/mpeg', size: head.length }, options);
  return format.container === 'MPEG' && /layer 3$/i.test(format.codec ?? '') ? ms : undefined;
}

parentPort?.on('message', ({ number, content }: AudioRequest) => {
  const answer = (ms: number | undefined) => parentPort?.postMessage({ number, ms } satisfies AudioResponse);
  lengthOf(content).then(answer, () => answer(undefined));
});
