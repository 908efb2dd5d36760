import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { username } from '../../client/authentication';
import { checkSignature, type ReceivedRequest, type Signature } from '../../client/signature-check';
import type { WebhookSettings } from './settings';

export type Login =
  | { readonly isIn: true; readonly signature?: Signature }
  | { readonly isIn: false; readonly reason: 'signature' | 'clock' | 'password' | 'token' };

/** Replaces a missing password, so that the check takes the same time and fails. */
const noPassword = randomBytes(32).toString('hex');

/**
 * Checks the login of a request. The duration of the check does not depend on the password.
 * @param now epoch milliseconds
 */
export function checkLogin(
  { auth, password, toleranceMs }: Pick<WebhookSettings, 'auth' | 'password' | 'toleranceMs'>,
  request: ReceivedRequest,
  now: number,
): Login {
  if (auth === 'none') return { isIn: true };
  const key = password === '' ? noPassword : password;
  if (auth === 'standard') {
    const checked = checkSignature(request, key, { now, toleranceMs });
    return checked.isValid ? { isIn: true, signature: checked } : { isIn: false, reason: checked.fault };
  }
  if (auth === 'basic') {
    const [, encoded = ''] = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(textOf(request.headers.authorization)) ?? [];
    const isSame = isEqual(Buffer.from(encoded, 'base64'), Buffer.from(`${username}:${key}`));
    return isSame ? { isIn: true } : { isIn: false, reason: 'password' };
  }
  const [, bearer = ''] = /^Bearer +(\S.*)$/i.exec(textOf(request.headers.authorization)) ?? [];
  const tokens = [bearer, textOf(request.headers['x-token'])];
  const matches = tokens.map((token) => isEqual(Buffer.from(token, 'latin1'), Buffer.from(key)));
  return matches.includes(true) ? { isIn: true } : { isIn: false, reason: 'token' };
}

/** The duration does not depend on the position of a difference. */
function isEqual(one: Buffer, other: Buffer): boolean {
  const [left, right] = [one, other].map((bytes) => createHash('sha256').update(bytes).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}

function textOf(header: unknown): string {
  return typeof header === 'string' ? header : '';
}
