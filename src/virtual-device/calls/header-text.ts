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

/**
 * Returns the headers of a header text, with a signature if the text has its placeholder.
 * @throws CallError if a line is not a header
 */
export function readHeaderText(text: string, request: SignedRequest, signatory: Signatory): Header[] {
  const lines = text.split(lineBreak).filter((line) => line !== '');
  const headers = lines.filter((line) => line.trim() !== signaturePlaceholder).map(readLine);
  if (headers.length === lines.length) return headers;
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  return [...sign(request, type, signatory), ...headers];
}

/** The error message contains nothing of the line, since the line might be a secret. */
function readLine(line: string): Header {
  const colon = line.indexOf(':');
  if (colon < 1) throw refusal(`each line of the header must be "Name: value" or ${signaturePlaceholder}`);
  // HTTP libraries expect each byte of UTF-8 as one character.
  const value = Buffer.from(line.slice(colon + 1).trim(), 'utf8').toString('latin1');
  return [line.slice(0, colon), value];
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
