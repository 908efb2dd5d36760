import { duration } from '../catalogue/duration';
import { joinMessages, localized, type Text } from '../catalogue/localized-message';
import type { AnswerKind } from '../catalogue/operation';
import { isRecord, isShallow } from '../json';
import type { ClockReading } from './authentication';
import { type ErrorDetails, wordsOf } from './errors';
import { type Classification, Failure } from './failure';
import type { RawAnswer } from './http/connection';
import { type Endpoint, maxUrlLength } from './settings';

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

/** Text instead of an answer to a request that names a password. */
export const hiddenResponse = '***';

type ResponseResult =
  | { readonly classification: Classification; readonly details: ErrorDetails }
  | { readonly classification?: undefined; readonly body: unknown };

interface Reading {
  readonly endpoint: Endpoint;
  readonly kind: AnswerKind | undefined;
  /** The header `Authorization` of the request, which is removed from its answer. */
  readonly authorization: string | undefined;
  /** Whether an error shows nothing of the answer, because the request names a password. */
  readonly isHidden: boolean;
  clock(): ClockReading | undefined;
}

export function isSuccess({ statusCode }: Pick<RawAnswer, 'statusCode'>): boolean {
  return statusCode >= 200 && statusCode < 300;
}

/**
 * Returns the body or the error of an answer. Never throws: if the body or the headers are invalid, the
 * status decides the error code.
 */
export function responseResultOf(raw: RawAnswer, reading: Reading): ResponseResult {
  const { endpoint, kind, authorization } = reading;
  const { statusCode } = raw;
  // The bytes of a file stay as they are.
  const answer = kind === 'file' && isSuccess(raw) ? raw : withoutHeader(raw, authorization);
  try {
    if (isSuccess(answer)) return { body: readBody(answer, kind) };
    const { response, words } = refusalOf(answer, reading.isHidden);
    const classification = classifyAnswer(answer, words, reading.clock(), endpoint);
    return { classification, details: { statusCode, response } };
  } catch (error) {
    const details = { statusCode, cause: error };
    if (!isSuccess(raw))
      return {
        classification: classifyAnswer({ statusCode, headers: {} }, '', undefined, endpoint),
        details,
      };
    const isKnown = error instanceof Failure && ['UNREADABLE', 'TOO_LARGE'].includes(error.code);
    const reason = isKnown
      ? error.localizedMessage
      : localized('answerUnreadable', { words: wordsOf(error) });
    return { classification: { code: 'PROTOCOL', outcome: 'unknown', reason }, details };
  }
}

/**
 * Classifies a status other than 2xx (docs/contract.md 2.2, docs/field-notes.md 2).
 * @param words explanation from the device's answer; can be empty
 * @param clock comparison of the device's clock with this machine's; undefined if unknown
 */
function classifyAnswer(
  { statusCode, headers }: Pick<RawAnswer, 'statusCode' | 'headers'>,
  words: string,
  clock: ClockReading | undefined,
  endpoint: Endpoint,
): Classification {
  const status = String(statusCode);
  const quoted = words === '' ? '' : localized('inItsWords', { words });
  if (statusCode < 400) {
    return { code: 'PROTOCOL', outcome: 'failed', reason: whereTo(status, headers.location, endpoint) };
  }
  if (statusCode === 401 || statusCode === 403) {
    const rejected = localized('refusesLogin', { status, words: quoted });
    const reason = clock ? joinMessages([rejected, describeClock(clock)]) : rejected;
    return { code: 'AUTHENTICATION', outcome: 'failed', reason };
  }
  if (statusCode < 500 || statusCode === 501 || statusCode === 503) {
    return { code: 'REFUSED', outcome: 'failed', reason: localized('refuses', { status, words: quoted }) };
  }
  return { code: 'PROTOCOL', outcome: 'unknown', reason: localized('fails', { status, words: quoted }) };
}

function refusalOf(answer: RawAnswer, isHidden: boolean): { response: unknown; words: string } {
  const response = readLoosely(answer);
  if (isHidden) return { response: response === undefined ? undefined : hiddenResponse, words: '' };
  return { response: Buffer.isBuffer(response) ? undefined : response, words: ownWords(response) };
}

/** Replaces the signature or the login of a header, also with the slashes as PHP writes them in JSON. */
function withoutHeader(answer: RawAnswer, header: string | undefined): RawAnswer {
  if (answer.body.length === 0) return answer;
  const secret = header?.split(/[ :]/).at(-1) ?? '';
  const forms = [secret, secret.replaceAll('/', '\\/')].filter((form) => form && answer.body.includes(form));
  if (forms.length === 0) return answer;
  let text = answer.body.toString('latin1');
  for (const form of forms) text = text.replaceAll(form, '***');
  return { ...answer, body: Buffer.from(text, 'latin1') };
}

function describeClock({ differenceMs, usesDeviceTime }: ClockReading): Text {
  const direction = differenceMs < 0 ? 'clockBehind' : 'clockAhead';
  return localized(usesDeviceTime ? `${direction}Allowed` : direction, {
    time: duration(differenceMs / 1000),
  });
}

function whereTo(status: string, location: string | undefined, endpoint: Endpoint): Text {
  const isUsable = location !== undefined && location.length <= maxUrlLength;
  if (!isUsable || !URL.canParse(location, endpoint.origin)) return localized('redirectsNowhere', { status });
  const url = new URL(location, endpoint.origin);
  // The rest of the address can repeat the signature of the request.
  const values = { status, url: `${url.protocol}//${url.host}` };
  if (url.protocol !== 'https:' || endpoint.secure) return localized('redirects', values);
  return localized('redirectsSecure', { ...values, write: `${url.origin}${endpoint.basePath}` });
}

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
  if (parsed) return parsed.value;
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
function readLoosely({ headers, body }: Body): unknown {
  if (body.length === 0) return undefined;
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (isBinary(type, body)) return body;
  const text = textOf(body);
  if (text.trim() === '') return undefined;
  const looksLikeJson =
    (type === '' || type === 'text/plain') && body.length <= maxJsonBytes && /^\s*[{[]/.test(text);
  const parsed = looksLikeJson || /[/+]json$/.test(type) ? parse(body) : undefined;
  return parsed ? parsed.value : text;
}

function isBinary(type: string, body: Buffer): boolean {
  if (/^text\/|[/+](json|xml|javascript|x-www-form-urlencoded)$/.test(type)) return false;
  return type !== '' || !Buffer.from(body.toString('utf8')).equals(body);
}

function textOf(body: Buffer): string {
  const text = body.toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/**
 * Returns undefined if the body is not JSON, or too deep.
 * @throws Failure TOO_LARGE
 */
function parse(body: Buffer): { readonly value: unknown } | undefined {
  if (body.length > maxJsonBytes) {
    const size = `${maxJsonBytes / 1024 / 1024} MiB`;
    throw Failure.own('TOO_LARGE', localized('tooLarge', { size }));
  }
  try {
    const value: unknown = JSON.parse(textOf(body));
    return isShallow(value, maxJsonDepth) ? { value } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the listing if the device sent a folder instead of a file: JSON with `filelist` as its only key.
 * Undefined for a file.
 */
function listingOf(body: Buffer): unknown {
  const value = body[0] === 0x7b && body.length <= maxJsonBytes ? parse(body)?.value : undefined;
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
