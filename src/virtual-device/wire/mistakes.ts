import { adminName, factoryPassword } from '../choices';
import { type Credentials, digestOf, type Lock, readHmac } from './authentication';

export interface Parts {
  readonly method: string;
  readonly uri: string;
  readonly body: readonly string[];
  readonly time: number | string;
  readonly nonce: string;
}

export interface Mistake {
  readonly finding: string;
  readonly signed?: string;
}

export function join({ method, uri, body, time, nonce }: Parts): string {
  return [method, uri, ...body, time, nonce].join(':');
}

const quarterS = 900;

function headerMistake(authorization: string): string {
  const [scheme = '', rest = ''] = authorization.split(/\s+(.*)/s);
  if (scheme === '') return 'the header Authorization is missing';
  if (scheme.toLowerCase() !== 'hmac')
    return 'this device requires Standard authentication, which begins "hmac "';
  if (scheme !== 'hmac') return 'the header begins with "hmac" in lower case';
  const pieces = rest.split(':');
  if (pieces.length > 3) return 'the nonce must not hold a colon, which ends it';
  if (pieces.length < 3) return 'after "hmac " come username, nonce and signature, with colons between them';
  if (/^[A-Za-z0-9+/]{43}=$/.test(pieces[2] ?? ''))
    return 'the signature is written as base64: lowercase hexadecimal is expected';
  return 'username, nonce or signature is not as expected: the signature has 64 hexadecimal digits';
}

export function findMistake(
  right: Parts,
  credentials: Credentials,
  lock: Lock,
  isClockOff: boolean,
): Mistake | undefined {
  const { username, digest } = readHmac(credentials.headers.authorization ?? '');
  if (digest === undefined) return { finding: headerMistake(credentials.headers.authorization ?? '') };
  if (username !== adminName) return { finding: `the username must be ${adminName}` };
  const fits = (password: string, input: string, encoding?: 'utf8') =>
    digestOf(password, input, encoding) === digest.toLowerCase();
  const whole = join(right);
  const ofMd5 = md5Mistake(credentials);
  if (fits(lock.password, whole)) {
    const finding = besides(digest, credentials, isClockOff) ?? ofMd5;
    return finding === undefined ? undefined : { finding, signed: whole };
  }
  if (lock.password !== factoryPassword && fits(factoryPassword, whole))
    return {
      finding: 'it was signed with the factory password, which is not that of this device',
      signed: whole,
    };
  if ([`${lock.password}\n`, `${lock.password}\r\n`].some((password) => fits(password, whole)))
    return { finding: 'a line break at the end of the password was signed with it', signed: whole };
  const { 'content-md5': sent, 'content-type': type = '' } = credentials.headers;
  const claimed = { ...right, body: [String(sent), type] };
  const changed: [string, Parts] = [
    'the body was changed after it was signed: sign the bytes that are sent',
    claimed,
  ];
  const apart = gaps().map((gap): [string, Parts] => [
    gapWords(gap),
    { ...right, time: Number(right.time) + gap },
  ]);
  for (const [finding, parts] of [...commonMistakes(right, credentials), changed, ...apart]) {
    const signed = join(parts);
    if (signed === whole) continue;
    // An unescaped path can contain characters beyond latin1, so UTF-8 is tried too.
    if (fits(lock.password, signed) || fits(lock.password, signed, 'utf8')) return { finding, signed };
  }
  return ofMd5 === undefined ? undefined : { finding: ofMd5 };
}

function md5Mistake({ headers, content }: Credentials): string | undefined {
  const sent = headers['content-md5'];
  if (typeof sent !== 'string' || !content || sent === content.md5) return undefined;
  if (sent.toLowerCase() === content.md5)
    return 'Content-MD5 is written in capitals: lowercase hexadecimal is expected';
  return sent === inBase64(content.md5)
    ? 'Content-MD5 is base64: lowercase hexadecimal is expected'
    : undefined;
}

function inBase64(hexadecimal: string): string {
  return Buffer.from(hexadecimal, 'hex').toString('base64');
}

function besides(digest: string, { headers, content }: Credentials, isClockOff: boolean): string | undefined {
  if (digest !== digest.toLowerCase())
    return 'the signature is written in capitals: lowercase hexadecimal is expected';
  if (isClockOff) return 'the signature is right, only the clocks are too far apart';
  const isMissing = content?.bytes !== 0 && headers['content-md5'] === undefined;
  return isMissing ? 'the signature is right, only the header Content-MD5 is missing' : undefined;
}

function gaps(): number[] {
  const near = Array.from({ length: 60 }, (_, index) => index + 1);
  const zones = Array.from({ length: 56 }, (_, index) => (index + 1) * quarterS);
  return [...near, ...zones].flatMap((gap) => [-gap, gap]);
}

function gapWords(gap: number): string {
  const side = gap < 0 ? 'before' : 'after';
  const advice = gap % quarterS === 0 ? 'that header is in GMT' : 'read the clock once';
  return `a time ${Math.abs(gap)} s ${side} that of the Date header was signed: ${advice}`;
}

function commonMistakes(right: Parts, { target, headers, content }: Credentials): readonly [string, Parts][] {
  const type = headers['content-type'] ?? '';
  const media = type.split(';', 1)[0] ?? '';
  const md5 = content?.md5 ?? '';
  const path = target.split('?', 1)[0] ?? target;
  const other = right.uri === path ? target : path;
  const origin = headers.host ?? '';
  const seconds = Number(right.time);
  return [
    ['the query was signed as well, or left out: the other way is expected', { ...right, uri: other }],
    ['the body was left out: its MD5 and type belong between path and time', { ...right, body: [] }],
    [
      'the MD5 was signed as base64: lowercase hexadecimal is expected',
      { ...right, body: [inBase64(md5), type] },
    ],
    [
      'the MD5 was signed in capitals: lowercase hexadecimal is expected',
      { ...right, body: [md5.toUpperCase(), type] },
    ],
    ['the MD5 was signed without the content type', { ...right, body: right.body.slice(0, 1) }],
    [
      'the content type was signed without its parameters, which follow the semicolon: sign it as it is sent',
      { ...right, body: [md5, media] },
    ],
    ['an empty body was signed: leave it out when there is none', { ...right, body: [md5, type] }],
    [
      'an empty body was signed: leave it out when there is none',
      { ...right, body: [md5, 'application/json'] },
    ],
    ['the time was signed in milliseconds', { ...right, time: `${seconds * 1000}` }],
    ['the time was signed as the text of the Date header', { ...right, time: headers.date ?? '' }],
    [
      'nonce and time were signed in the other order',
      { ...right, time: right.nonce, nonce: `${right.time}` },
    ],
    ['the method was signed in lower case', { ...right, method: right.method.toLowerCase() }],
    ['the path was signed without the slash that it begins with', { ...right, uri: right.uri.slice(1) }],
    ...spellings(right.uri).map((uri): [string, Parts] => [
      'the path was signed escaped in another way than it was sent, or not at all: sign it as it is sent',
      { ...right, uri },
    ]),
    ['the whole URL was signed: only the path is expected', { ...right, uri: `http://${origin}${target}` }],
    ['the whole URL was signed: only the path is expected', { ...right, uri: `https://${origin}${target}` }],
  ];
}

function spellings(uri: string): string[] {
  try {
    const plain = decodeURIComponent(uri);
    return [
      plain,
      encodeURI(plain),
      uri.split('/').map(decodeURIComponent).map(encodeURIComponent).join('/'),
    ];
  } catch {
    return [];
  }
}
