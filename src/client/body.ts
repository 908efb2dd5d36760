import { randomBytes } from 'node:crypto';
import type { Operation } from '../catalogue/operation';
import { said } from '../catalogue/saying';
import type { WireRequest } from './call';
import { Failure } from './failure';

type Body = Pick<WireRequest, 'body' | 'contentType' | 'signBody'>;
type Given = readonly (readonly [string, unknown])[];

/**
 * The body of an operation from the parameters that are not in its path: JSON, the bytes of `content`, or
 * audio (4.5.2). No parameters, no body.
 * @throws Failure INVALID_PARAMETER when `content` is no audio that a device plays
 */
export function buildBody(operation: Pick<Operation, 'body'>, given: Given): Body {
  if (given.length === 0) return {};
  if (operation.body === 'raw') return { body: contentIn(given), contentType: 'application/octet-stream' };
  if (operation.body === 'audio') return buildAudio(given);
  return { body: jsonOf(given), contentType: 'application/json' };
}

function buildAudio(given: Given): Body {
  const content = contentIn(given);
  const type = audioTypeOf(content);
  const data = given.filter(([name]) => name !== 'content');
  return data.length === 0
    ? { body: content, contentType: type }
    : buildMultipart(content, type, jsonOf(data));
}

/** Part `tone` is the file, part `data` the parameters; section 4.5.2 leaves this body out of the signature. */
function buildMultipart(content: Buffer, type: string, data: Buffer): Body {
  const boundary = `algo-${randomBytes(18).toString('hex')}`;
  const file = `tone.${type === 'audio/wav' ? 'wav' : 'mp3'}`;
  const part = (disposition: string, partType: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: ${partType}\r\n\r\n`;
  const body = Buffer.concat([
    Buffer.from(part(`name="tone"; filename="${file}"`, type)),
    content,
    Buffer.from(`\r\n${part('name="data"', 'application/json')}`),
    data,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return { body, contentType: `multipart/form-data; boundary=${boundary}`, signBody: false };
}

/** WAV by its RIFF header; MP3 by an ID3 tag, or by the sync of a frame whose layer is not the reserved one. */
function audioTypeOf(content: Buffer): 'audio/wav' | 'audio/mpeg' {
  if (content.toString('latin1', 0, 4) === 'RIFF' && content.toString('latin1', 8, 12) === 'WAVE') {
    return 'audio/wav';
  }
  const [first = 0, second = 0] = content;
  const isFrame = first === 0xff && (second & 0xe0) === 0xe0 && (second & 0x06) !== 0;
  if (isFrame || content.toString('latin1', 0, 3) === 'ID3') return 'audio/mpeg';
  throw Failure.own('INVALID_PARAMETER', said('noAudio'));
}

function contentIn(given: Given): Buffer {
  const content = given.find(([name]) => name === 'content')?.[1];
  if (Buffer.isBuffer(content)) return content;
  throw Failure.own('INVALID_PARAMETER', said('noBuffer'));
}

function jsonOf(given: Given): Buffer {
  return Buffer.from(JSON.stringify(Object.fromEntries(given)));
}
