import { createHash, randomBytes } from 'node:crypto';
import { adminName } from '../choices';
import { digestOf, type Lock } from '../wire/authentication';
import { refusal } from './result';

/** The password, the time and the form of the signed URI, with which the device signs its calls. */
export type Signatory = Pick<Lock, 'password' | 'now' | 'signedUri'>;

export interface SignedRequest {
  readonly method: string;
  readonly path: string;
  readonly body: Buffer | undefined;
}

export type Header = readonly [name: string, value: string];

/** The placeholder in a header text for the headers of Standard authentication (section 2.6a). */
export const signaturePlaceholder = '%DEVICE_HEADERS%';

/** A line break: CR and LF, or their escapes. */
const lineBreak = /\r\n|\\r\\n/;

const headerLine = /^([!#$&'*+.^`|~\w-]+):(.*)$/;

/**
 * Headers that a header text must not set: the device itself sets the host, the size of the body, and the
 * handling of the connection.
 */
const ownHeaders = [
  ...['host', 'content-length', 'transfer-encoding', 'trailer', 'te', 'expect'],
  ...['connection', 'keep-alive', 'proxy-connection', 'upgrade'],
];

/** Headers that a request must not have twice. */
const singleHeaders = ['authorization', 'date', 'content-type', 'content-md5'];

/**
 * Returns the headers of a header text, in which a signature replaces its placeholder.
 * @throws CallError if a line is not a permitted header
 */
export function readHeaderText(text: string, request: SignedRequest, signatory: Signatory): Header[] {
  const lines = text.split(lineBreak);
  // A line break may end the text, and an empty text has no lines.
  if (lines.at(-1) === '') lines.pop();
  // The placeholder is undefined among the headers.
  const read = lines.map((line, index) =>
    line.trim() === signaturePlaceholder ? undefined : readLine(line, index),
  );
  const type = read.find((header) => header?.[0].toLowerCase() === 'content-type')?.[1];
  const signature = read.includes(undefined) ? sign(request, type, signatory) : [];
  const headers = read.flatMap((header) => (header ? [header] : signature));
  const names = headers.map(([name]) => name.toLowerCase());
  const twice = singleHeaders.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (twice !== undefined) throw refusal(`the header contains ${twice} more than once`);
  return headers;
}

/** An error message contains nothing of the line, since the line might be a secret. */
function readLine(line: string, index: number): Header {
  const [, name = '', written = ''] = headerLine.exec(line) ?? [];
  const value = written.trim();
  const hasControls = /[^\P{Cc}\t]/u.test(value);
  if (name === '' || hasControls || value.includes(signaturePlaceholder))
    throw refusal(`line ${index + 1} of the header must be "Name: value" or ${signaturePlaceholder}`);
  if (ownHeaders.includes(name.toLowerCase()))
    throw refusal(`line ${index + 1} of the header is one that the device sets itself`);
  // HTTP libraries expect each byte of UTF-8 as one character.
  return [name, Buffer.from(value, 'utf8').toString('latin1')];
}

function sign(
  { method, path, body }: SignedRequest,
  type: string | undefined,
  signatory: Signatory,
): Header[] {
  const { password, now, signedUri } = signatory;
  const nonce = randomBytes(16).toString('base64url');
  const uri = signedUri === 'target' ? path : (path.split('?', 1)[0] ?? path);
  const contentType = type ?? 'application/json';
  const md5 = body && createHash('md5').update(body).digest('hex');
  const isSigned = md5 !== undefined && !contentType.startsWith('multipart/');
  const input = [method, uri, ...(isSigned ? [md5, contentType] : []), now, nonce].join(':');
  return [
    ['Authorization', `hmac ${adminName}:${nonce}:${digestOf(password, input)}`],
    ['Date', new Date(now * 1000).toUTCString()],
    ...(md5 !== undefined && type === undefined ? [['Content-Type', contentType] as const] : []),
    ...(isSigned ? [['Content-MD5', md5] as const] : []),
  ];
}
