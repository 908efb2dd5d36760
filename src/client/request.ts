import { randomBytes } from 'node:crypto';
import { isPlainObject } from '../catalogue/coerce';
import { isPasswordName } from '../catalogue/describe';
import { localized, type Text } from '../catalogue/localized-message';
import type { Operation, Parameters } from '../catalogue/operation';
import { staysBelow } from '../catalogue/paths';
import { nothingSent } from '../catalogue/sentence';
import type { WireRequest } from './call';
import { DeviceError, wordsOf } from './errors';
import { Failure } from './failure';

export type RequestTemplate = Pick<Operation, 'route'> & Partial<Pick<Operation, 'body'>>;

/**
 * Builds the request of an operation. Percent-encoded parameters replace placeholders such as `{name}` in the
 * route; the remaining parameters form the body. Omits undefined parameters.
 * @throws Failure INVALID_PARAMETER if the path or the body is invalid
 */
export function buildRequest({ route, body: kind }: RequestTemplate, parameters: Parameters): WireRequest {
  const [method, template = ''] = route.split(' ', 2) as [WireRequest['method'], string?];
  // This shortcut makes polls cheap: polls are frequent and usually have no parameters.
  if (!/[{?]/.test(template) && Object.keys(parameters).length === 0) return { method, path: template };
  const given = Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined));
  const [pathTemplate = '', queryTemplate] = template.split('?', 2);
  const used = new Set<string>();
  const path = fillPath(pathTemplate, given, used) + fillQuery(queryTemplate, given, used);
  const rest = Object.entries(given).filter(([name]) => !used.has(name));
  if (rest.length > 0 && method === 'GET') {
    throw Failure.own(
      'INVALID_PARAMETER',
      localized('noPlace', { names: rest.map(([name]) => name).join('", "') }),
    );
  }
  const names = [...Object.keys(given), String(given.name ?? '')];
  return { method, path, ...buildBody(kind ? { body: kind } : {}, rest), ...markOf(names) };
}

function markOf(names: readonly string[]): Pick<WireRequest, 'namesPassword'> {
  return names.some(isPasswordName) ? { namesPassword: true } : {};
}

function fillPath(template: string, parameters: Parameters, used: Set<string>): string {
  return template.replace(/\{([^{}]+)\}/g, (_placeholder, name: string) => {
    used.add(name);
    const value = parameters[name];
    if (value === undefined) throw Failure.own('INVALID_PARAMETER', localized('missingInPath', { name }));
    // Only the parameter `path` keeps its slashes; any other value is one segment.
    const segments = name === 'path' ? String(value).split('/') : [String(value)];
    return segments.map((segment) => encodeSegment(name, segment)).join('/');
  });
}

/** An empty segment or a dot segment would lead to another route. */
function encodeSegment(name: string, segment: string): string {
  if (segment === '' || segment === '.' || segment === '..') {
    throw Failure.own('INVALID_PARAMETER', localized('emptyPart', { name }));
  }
  return encode(name, segment);
}

function fillQuery(template: string | undefined, parameters: Parameters, used: Set<string>): string {
  const pairs = (template ?? '').split('&').flatMap((pair) => {
    const [key, name] = /^([^=]+)=\{([^}]+)\}$/.exec(pair)?.slice(1) ?? [];
    if (key === undefined || name === undefined) return pair === '' ? [] : [pair];
    used.add(name);
    const value = parameters[name];
    return value === undefined ? [] : [`${key}=${encode(name, String(value))}`];
  });
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function encode(name: string, text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    throw Failure.own('INVALID_PARAMETER', localized('halfCharacter', { name }));
  }
}

/**
 * Checks a request that a user wrote by hand.
 * @throws Failure INVALID_PARAMETER if the request would leave the device's base address or is invalid
 */
export function checkRequest({ path, body, contentType }: WireRequest): void {
  if (!/^\/(?!\/)/.test(path)) {
    throw Failure.own('INVALID_PARAMETER', localized('oneSlash'));
  }
  if (!/^[\x21-\x7e]+$/.test(path) || path.includes('#')) {
    throw Failure.own('INVALID_PARAMETER', localized('percentEncoded'));
  }
  if (path.includes('\\') || !staysBelow(path)) {
    throw Failure.own('INVALID_PARAMETER', localized('dotParts'));
  }
  if (body && !/^[\x21-\x7e][\x20-\x7e]*$/.test(contentType ?? '')) {
    throw Failure.own('INVALID_PARAMETER', localized('contentType'));
  }
}

type Body = Pick<WireRequest, 'body' | 'contentType' | 'signBody'>;
type Given = readonly (readonly [string, unknown])[];

/**
 * Builds the body from the parameters that are not in the path or the query: JSON, the bytes of `content`, or
 * audio (4.5.2). Without such parameters, no body is sent.
 * @throws Failure INVALID_PARAMETER if `content` is no Buffer, or not audio that a device plays
 */
function buildBody(operation: Pick<Operation, 'body'>, given: Given): Body {
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

/**
 * Detects WAV by the RIFF header, and MP3 by an ID3 tag or by the sync word of a frame with a valid layer.
 */
function audioTypeOf(content: Buffer): 'audio/wav' | 'audio/mpeg' {
  if (content.toString('latin1', 0, 4) === 'RIFF' && content.toString('latin1', 8, 12) === 'WAVE') {
    return 'audio/wav';
  }
  const [first = 0, second = 0] = content;
  const isFrame = first === 0xff && (second & 0xe0) === 0xe0 && (second & 0x06) !== 0;
  if (isFrame || content.toString('latin1', 0, 3) === 'ID3') return 'audio/mpeg';
  throw Failure.own('INVALID_PARAMETER', localized('noAudio'));
}

function contentIn(given: Given): Buffer {
  const content = given.find(([name]) => name === 'content')?.[1];
  if (Buffer.isBuffer(content)) return content;
  throw Failure.own('INVALID_PARAMETER', localized('noBuffer'));
}

function jsonOf(given: Given): Buffer {
  return Buffer.from(JSON.stringify(Object.fromEntries(given)));
}

/**
 * Converts a request that was written by hand. A text and a Buffer stay unchanged; any other body becomes
 * JSON.
 * @param parameters `method`, `path`, optionally `body` and `contentType`, already checked
 * @throws DeviceError INVALID_PARAMETER if the body has no JSON form
 */
export function wireRequestOf(parameters: Readonly<Record<string, unknown>>): WireRequest {
  const { method, path, body, contentType } = parameters;
  const names = [String(path).split('?', 1)[0] ?? '', ...(isPlainObject(body) ? Object.keys(body) : [])];
  const line = { method: method as WireRequest['method'], path: String(path), ...markOf(names) };
  if (body === undefined) return line;
  const [bytes, defaultType] = bytesOf(body);
  const type = String(contentType ?? defaultType);
  // The body of a multipart form is not signed (section 5).
  return { ...line, body: bytes, contentType: type, ...(/^multipart\//i.test(type) && { signBody: false }) };
}

function bytesOf(body: unknown): [Buffer, string] {
  if (Buffer.isBuffer(body)) return [body, 'application/octet-stream'];
  if (typeof body === 'string') return [Buffer.from(body), 'text/plain'];
  return [Buffer.from(jsonIn(body)), 'application/json'];
}

/** @throws DeviceError INVALID_PARAMETER if the value refers to itself or has no JSON form */
function jsonIn(body: unknown): string {
  let reason: Text = localized('noSuchJson');
  try {
    const text: string | undefined = JSON.stringify(body);
    if (text !== undefined) return text;
  } catch (error) {
    [reason = reason] = wordsOf(error).split('\n', 1);
  }
  throw new DeviceError('INVALID_PARAMETER', nothingSent(localized('bodyNoJson', { words: reason })));
}
