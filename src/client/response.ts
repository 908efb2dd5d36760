import { localized } from '../catalogue/localized-message';
import type { AnswerKind } from '../catalogue/operation';
import { isRecord } from '../json';
import { Failure } from './failure';
import type { RawAnswer } from './http/exchange';

/** The device's own words are cut at this many characters. */
const maxWordsLength = 200;

/** They are looked for in so many: what has not come to the point by then is no explanation. */
const maxSearchedBytes = 64 * 1024;

/** JSON in more levels than any device's answer has is a text: whoever walks through it would run out of stack. */
const maxJsonDepth = 100;

/**
 * The database of a scheduler with thousands of events has a few MiB, and no JSON of a device is longer. While it is
 * parsed and walked through all of Node-RED stands still, so no more of it is looked at, in bytes.
 */
const maxJsonBytes = 4 * 1024 * 1024;

type Body = Pick<RawAnswer, 'headers' | 'body'>;

/**
 * Reads the body of a success.
 * @param kind what the operation answers; absent for hand-made requests, where the content type decides
 * @returns undefined when there is nothing, else parsed JSON, text or a Buffer
 * @throws Failure UNREADABLE when JSON was promised and something else came, or a web page; TOO_LARGE when it is JSON
 * that is too long
 */
export function readBody(answer: Body, kind: AnswerKind | undefined): unknown {
  if (kind === 'file') return listingOf(answer.body) ?? answer.body;
  if (kind === 'json') return readJson(answer);
  const loose = readLoosely(answer);
  if (loose === undefined) return undefined;
  if (kind !== undefined && typeof loose === 'string') refusePage(loose);
  return kind === 'text' && Buffer.isBuffer(loose) ? textOf(loose) : loose;
}

/** JSON was promised: whatever the content type says, it is read first, and anything else is looked at after. */
function readJson(answer: Body): unknown {
  refuseLarge(answer.body);
  const parsed = parse(textOf(answer.body));
  if (parsed) return parsed.value;
  const loose = readLoosely(answer);
  if (loose === undefined) return undefined;
  const what = Buffer.isBuffer(loose)
    ? localized('noJsonBytes', { count: String(loose.length) })
    : localized('noJson', { words: ownWords(loose) });
  throw Failure.own('UNREADABLE', what);
}

function refuseLarge(body: Buffer): void {
  if (!isLarge(body)) return;
  throw Failure.own('TOO_LARGE', localized('tooLarge', { size: `${maxJsonBytes / 1024 / 1024} MiB` }));
}

function isLarge(body: Buffer): boolean {
  return body.length > maxJsonBytes;
}

/** No operation answers with a web page: what sent it is a login page, a proxy or another machine. */
function refusePage(text: string): void {
  if (!/^\s*<(?:!doctype\s+html|html)[\s>]/i.test(text)) return;
  throw Failure.own('UNREADABLE', localized('webPage', { words: ownWords(text) }));
}

/** Whatever came, read by its content type, or by its first bytes where it has none. */
export function readLoosely({ headers, body }: Body): unknown {
  if (body.length === 0) return undefined;
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (isBinary(type, body)) return body;
  const isCalledJson = /[/+]json$/.test(type);
  if (isCalledJson) refuseLarge(body);
  const text = textOf(body);
  if (text.trim() === '') return undefined;
  const mayBeJson = (type === '' || type === 'text/plain') && !isLarge(body) && /^\s*[{[]/.test(text);
  const parsed = isCalledJson || mayBeJson ? parse(text) : undefined;
  return parsed ? parsed.value : text;
}

function isBinary(type: string, body: Buffer): boolean {
  if (/^text\/|[/+](json|xml|javascript|x-www-form-urlencoded)$/.test(type)) return false;
  return type !== '' || !Buffer.from(body.toString('utf8')).equals(body);
}

/** Without the byte order mark that some servers put first. */
function textOf(body: Buffer): string {
  const text = body.toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

function parse(text: string): { value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isWithin(maxJsonDepth, value) ? { value } : undefined;
  } catch {
    return undefined;
  }
}

function isWithin(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  if (Array.isArray(value)) return value.every((inner) => isWithin(levels - 1, inner));
  // No list is made of its values: an answer may have hundreds of thousands of objects.
  const record = value as Record<string, unknown>;
  for (const name in record) if (!isWithin(levels - 1, record[name])) return false;
  return true;
}

/** A folder's listing comes where a file might have come: JSON with nothing but `filelist`. */
function listingOf(body: Buffer): unknown {
  if (body[0] !== 0x7b || isLarge(body)) return undefined;
  const value = parse(textOf(body))?.value;
  const isListing =
    isRecord(value) && Object.keys(value).join() === 'filelist' && Array.isArray(value.filelist);
  return isListing ? value : undefined;
}

/**
 * What the device itself says about a refusal, as one line of at most 200 characters; may be empty. A log is read in a
 * terminal, which obeys control characters.
 */
export function ownWords(body: unknown): string {
  const text = stripHtml(findWords(body).slice(0, maxSearchedBytes));
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

/** What a page shows. Each step goes over the text once, and none looks for an end that may be missing. */
function stripHtml(text: string): string {
  if (!/<[a-z!/]/i.test(text)) return text;
  const pieces = text.split(/(?=<\/?(?:script|style|title)\b)/i);
  const shown = pieces.filter((piece) => !/^<(?:script|style)/i.test(piece));
  const visible = withoutTags(shown.filter((piece) => !/^<title/i.test(piece)).join(''));
  // A page without a word in its body still has its title.
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
