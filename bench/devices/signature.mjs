import { createHash, createHmac } from 'node:crypto';

/** Whether a request is signed as section 5 wants it, by the password of all devices of the bench. */
export function isSigned({ method, path, headers }, body) {
  const [, nonce, digest] = /^hmac admin:([^:]+):(\w+)$/.exec(headers.authorization ?? '') ?? [];
  const md5 = createHash('md5').update(body).digest('hex');
  if (!nonce || (body.length > 0 && headers['content-md5'] !== md5)) return false;
  const signedBody = body.length > 0 ? `${md5}:${headers['content-type']}:` : '';
  const input = `${method}:${path}:${signedBody}${Date.parse(headers.date) / 1000}:${nonce}`;
  return createHmac('sha256', 'algo').update(input).digest('hex') === digest;
}
