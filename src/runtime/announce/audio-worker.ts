import { parentPort } from 'node:worker_threads';
import { mpegLengthMs } from './mpeg-frames';

/** A file to read. */
export interface AudioRequest {
  readonly number: number;
  readonly content: Uint8Array;
}

/** The length of an MP3 file; undefined if the file is none. */
export interface AudioResponse {
  readonly number: number;
  readonly ms: number | undefined;
}

async function lengthOf(content: Uint8Array): Promise<number | undefined> {
  const { parseBuffer } = await import('music-metadata');
  const options = { skipCovers: true, skipPostHeaders: true };
  const { format } = await parseBuffer(content, { mimeType: 'audio/mpeg', size: content.length }, options);
  if (format.container !== 'MPEG' || !/layer 3$/i.test(format.codec ?? '')) return undefined;
  // A file whose frames are too short or too few to play has no length.
  return mpegLengthMs(content) || undefined;
}

parentPort?.on('message', ({ number, content }: AudioRequest) => {
  const answer = (ms: number | undefined) => parentPort?.postMessage({ number, ms } satisfies AudioResponse);
  lengthOf(content).then(answer, () => answer(undefined));
});
