import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { username } from '../../client/authentication';
import { checkSignature, type NonceStore, type ReceivedRequest } from '../../client/signature-check';
import type { WebhookSettings } from './settings';
import type { Refusal } from './webhook';

/** Replaces a missing password, so that the check takes the same time and fails. */
const noPassword = randomBytes(32).toString('hex');

/**
 * Checks the login of a request, and marks its nonce as used. The duration of the check does not depend on the
 * password.
 * @param now epoch milliseconds
 * @returns the reason for a refusal; undefined if the login is accepted
 */
export function checkLogin(
  { auth, password, toleranceMs, path }: WebhookSettings,
  { headers, ...request }: ReceivedRequest,
  nonces: NonceStore,
  now: number,
): Refusal | undefined {
  if (auth === 'none') return undefined;
  const key = password === '' ? noPassword : password;
  if (auth === 'standard') {
    const checked = checkSignature({ headers, ...request }, key, { now, toleranceMs });
    if (!checked.isValid) return checked.fault;
    return nonces.accept(path, checked, { now, toleranceMs }) ? undefined : 'replay';
  }
  const authorization = textOf(headers.authorization);
  if (auth === 'basic') {
    const [, encoded = ''] = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization) ?? [];
    const isSame = isEqual(Buffer.from(encoded, 'base64'), Buffer.from(`${username}:${key}`));
    return isSame ? undefined : 'password';
  }
  const [, bearer = ''] = /^Bearer +(\S.*)$/i.exec(authorization) ?? [];
  const tokens = [bearer, textOf(headers['x-token'])];
  const matches = tokens.map((token) => isEqual(Buffer.from(token, 'latin1'), Buffer.from(key)));
  return matches.includes(true) ? undefined : 'token';
}

/** The duration does not depend on the position of a difference. */
function isEqual(one: Buffer, other: Buffer): boolean {
  const [left, right] = [one, other].map((bytes) => createHash('sha256').update(bytes).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}

function textOf(header: unknown): string {
  return typeof header === 'string' ? header : '';
}
