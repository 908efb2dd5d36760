import { createHash, createHmac } from 'node:crypto';
import { type Profile, password } from './fleet';
import type { Whole } from './wire';

/** Seconds by which clocks may differ (interface, section 5). */
const tolerance = 30;

const basic = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;

/** Standard authentication (interface, section 5); a query may be part of what is signed or not. */
function isSigned({ method, path, headers, body }: Whole): boolean {
  const [, nonce = '', digest = ''] = (headers.authorization ?? '').split(':');
  const sum = headers['content-md5'];
  if (sum !== undefined && sum !== createHash('md5').update(body).digest('hex')) return false;
  const content = sum === undefined ? [] : [sum, headers['content-type'] ?? ''];
  const seconds = String(Date.parse(headers.date ?? '') / 1000);
  return [path, path.split('?')[0] ?? path].some((uri) => {
    const text = [method, uri, ...content, seconds, nonce].join(':');
    return createHmac('sha256', password).update(text).digest('hex') === digest;
  });
}

/** Why a request is not from somebody who may ask; undefined: it is. `clock` is the device's, in milliseconds. */
export function denial(
  { auth }: Profile,
  request: Whole,
  clock: number,
): 'badly signed' | 'clocks differ' | undefined {
  if (auth === 'none') return undefined;
  if (auth === 'basic') return request.headers.authorization === basic ? undefined : 'badly signed';
  if (!isSigned(request)) return 'badly signed';
  const away = Math.abs(Date.parse(request.headers.date ?? '') - clock) / 1000;
  return away > tolerance ? 'clocks differ' : undefined;
}
