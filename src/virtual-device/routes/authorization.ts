import { forbiddenWords, httpStatus, maxBodyBytes, maxJsonBytes, maxPreviewBytes } from '../choices';
import type { Core } from '../core';
import { type Answer, refuse } from '../wire/answer';
import { announcedBytes, type Content, type Head, refuseCredentials } from '../wire/authentication';
import { isOwnHost } from '../wire/host-header';
import { explainSignature } from '../wire/signature';

const foreignHost =
  'the header Host has a name that another site can use; ' +
  'use the IP address, localhost or the name of this computer';

/** @param content undefined if the body was not read yet; then only the head is checked */
export function refuseUnauthorized(core: Core, head: Head, content: Content | undefined): Answer | undefined {
  if (!isOwnHost(head.headers.host, core.host)) return refuse(foreignHost, httpStatus.forbidden);
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

/** A request that will be rejected needs only a preview for the log. */
export function maxBodyBytesFor(core: Core, head: Head): number {
  const { headers } = head;
  const maxBytes = headers['content-type']?.startsWith('application/json') ? maxJsonBytes : maxBodyBytes;
  if (announcedBytes(headers) <= maxPreviewBytes && headers['transfer-encoding'] === undefined)
    return maxBytes;
  return refuseUnauthorized(core, head, undefined) ? maxPreviewBytes : maxBytes;
}
