import { forbiddenWords, maxBodyBytes, maxPreviewBytes } from '../choices';
import type { Core } from '../core';
import type { Answer } from '../wire/answer';
import { announcedBytes, type Content, type Head, refuseCredentials } from '../wire/authentication';
import { explainSignature } from '../wire/signature';

/**
 * Rejects a request without access (section 5).
 * @param content undefined if the body is not read yet; only certain rejections are returned then
 */
export function gate(core: Core, head: Head, content: Content | undefined): Answer | undefined {
  if (!core.interfaceEnabled) return forbid('the RESTful API is switched off', core.statuses.interfaceOff);
  const { lock } = core;
  const credentials = { ...head, content };
  const reason = refuseCredentials(credentials, lock);
  if (reason === undefined) return undefined;
  const refusal = forbid(reason, core.statuses.forbidden);
  return lock.method === 'standard'
    ? { ...refusal, signature: () => explainSignature(credentials, lock) }
    : refusal;
}

function forbid(reason: string, status: number): Answer {
  return { status, json: { error: forbiddenWords }, reason };
}

/**
 * Returns the maximum number of bytes to read of a body. For a request that will be rejected, a preview for
 * the log is enough.
 */
export function bytesWorthTaking(core: Core, head: Head): number {
  const { headers } = head;
  if (announcedBytes(headers) <= maxPreviewBytes && headers['transfer-encoding'] === undefined)
    return maxBodyBytes;
  return gate(core, head, undefined) ? maxPreviewBytes : maxBodyBytes;
}
