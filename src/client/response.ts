import { type LocalizedMessage, localized } from '../catalogue/localized-message';
import type { AnswerKind } from '../catalogue/operation';
import { isRecord, isShallow } from '../json';
import { Failure } from './failure';
import type { RawAnswer } from './http/exchange';

const maxWordsLength = 200;

/** Maximum length of the text that `ownWords` reads, in characters. */
const maxSearchedLength = 64 * 1024;

/**
 * Maximum depth of JSON; no device sends more. Deeper JSON is treated as text, since code that walks through
 * deep JSON would exhaust the stack.
 */
const maxJsonDepth = 100;

/**
 * Maximum size of JSON, in bytes, since parsing JSON blocks Node-RED. A scheduler database with thousands of
 * events has a few MiB.
 */
const maxJsonBytes = 4 * 1024 * 1024;

type Body = Pick<RawAnswer, 'headers' | 'body'>;

/**
 * Returns the body of a successful answer: parsed JSON, a text or a Buffer. Undefined for a blank answer,
 * unless a file is expected.
 * @param kind expected format of the answer; if undefined, the content type decides
 * @throws Failure UNREADABLE for an unexpected web page, or if expected JSON is invalid; TOO_LARGE if JSON is
 * too long
 */
export function readBody(answer: Body, kind: AnswerKind | undefined): unknown {
  if (kind === 'file') return listingOf(answer.body) ?? answer.body;
  if (kind === 'json') return readJson(answer);
  const loose = readLoosely(answer);
  if (loose === undefined) return undefined;
  if (kind !== undefined && typeof loose === 'string') refusePage(loose);
  return kind === 'text' && Buffer.isBuffer(loose) ? textOf(loose) : loose;
}

/**
 * Parses a body as JSON, regardless of its content type. Returns undefined for blank text.
 * @throws Failure UNREADABLE or TOO_LARGE
 */
function readJson(answer: Body): unknown {
  const parsed = parse(answer.body);
  if (parsed) return acceptedValue(parsed);
  const loose = readLoosely(answer);
  if (loose === undefined) return undefined;
  const what = Buffer.isBuffer(loose)
    ? localized('noJsonBytes', { count: String(loose.length) })
    : localized('noJson', { words: ownWords(loose) });
  throw Failure.own('UNREADABLE', what);
}

/**
 * Throws if the text is a web page. No operation returns a page, so a login page, a proxy or another machine
 * answered.
 */
function refusePage(text: string): void {
  if (!/^\s*<(?:!doctype\s+html|html)[\s>]/i.test(text)) return;
  throw Failure.own('UNREADABLE', localized('webPage', { words: ownWords(text) }));
}

/**
 * Reads any body by its content type and its bytes: JSON, a text or a Buffer. Returns undefined for blank
 * text.
 * @throws Failure TOO_LARGE if JSON is too long
 */
export function readLoosely({ headers, body }: Body): unknown {
  if (body.length === 0) return undefined;
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (isBinary(type, body)) return body;
  const called = /[/+]json$/.test(type) ? parse(body) : undefined;
  if (called) return acceptedValue(called);
  const text = textOf(body);
  if (text.trim() === '') return undefined;
  const mayBeJson = (type === '' || type === 'text/plain') && /^\s*[{[]/.test(text);
  const parsed = mayBeJson ? parse(body) : undefined;
  return parsed && !('tooLarge' in parsed) ? parsed.value : text;
}

function isBinary(type: string, body: Buffer): boolean {
  if (/^text\/|[/+](json|xml|javascript|x-www-form-urlencoded)$/.test(type)) return false;
  return type !== '' || !Buffer.from(body.toString('utf8')).equals(body);
}

function textOf(body: Buffer): string {
  const text = body.toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

type Parsed = { readonly value: unknown } | { readonly tooLarge: LocalizedMessage };

/** Returns undefined if the body is not JSON, or too deep. */
function parse(body: Buffer): Parsed | undefined {
  if (body.length > maxJsonBytes) {
    return { tooLarge: localized('tooLarge', { size: `${maxJsonBytes / 1024 / 1024} MiB` }) };
  }
  try {
    const value: unknown = JSON.parse(textOf(body));
    return isShallow(value, maxJsonDepth) ? { value } : undefined;
  } catch {
    return undefined;
  }
}

/** @throws Failure TOO_LARGE */
function acceptedValue(parsed: Parsed): unknown {
  if ('tooLarge' in parsed) throw Failure.own('TOO_LARGE', parsed.tooLarge);
  return parsed.value;
}

/**
 * Returns the listing if the device sent a folder instead of a file: JSON with `filelist` as its only key.
 * Undefined for a file.
 */
function listingOf(body: Buffer): unknown {
  const parsed = body[0] === 0x7b ? parse(body) : undefined;
  const value = parsed && 'value' in parsed ? parsed.value : undefined;
  const isListing =
    isRecord(value) && Object.keys(value).join() === 'filelist' && Array.isArray(value.filelist);
  return isListing ? value : undefined;
}

/**
 * Returns the device's own explanation in one line of at most 200 characters; can be empty. Control
 * characters become spaces, since a terminal that shows the log would interpret control characters.
 */
export function ownWords(body: unknown): string {
  const text = stripHtml(findWords(body).slice(0, maxSearchedLength));
  const words = text.replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim();
  return words.length > maxWordsLength ? `${words.slice(0, maxWordsLength - 1)}…` : words;
}

function findWords(body: unknown): string {
  if (typeof body === 'string') return body;
  if (body === undefined || Buffer.isBuffer(body)) return '';
  if (!isRecord(body)) return JSON.stringify(body);
  for (const key of ['error', 'message', 'status', 'detail']) {
    const value = body[key];
    if (typeof value === 'string' && value !== '') return value;
    if (isRecord(value)) return findWords(value);
  }
  return JSON.stringify(body);
}

/** Each step is linear in the length of the text. */
function stripHtml(text: string): string {
  if (!/<[a-z!/]/i.test(text)) return text;
  const pieces = text.split(/(?=<\/?(?:script|style|title)\b)/i);
  const shown = pieces.filter((piece) => !/^<(?:script|style)/i.test(piece));
  const visible = withoutTags(shown.filter((piece) => !/^<title/i.test(piece)).join(''));
  // A page with an empty body can still have a title.
  const words = visible.trim() === '' ? withoutTags(shown.join('')) : visible;
  return words
    .replace(/&nbsp;/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&');
}

function withoutTags(html: string): string {
  return html.replace(/<[^<>]*>/g, ' ');
}
