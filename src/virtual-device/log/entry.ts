import { logLength, maxPreviewBytes } from '../choices';
import type { Answer } from '../wire/answer';
import { announcedBytes } from '../wire/authentication';
import type { Incoming } from '../wire/incoming';
import { readJsonText } from '../wire/json-text';
import type { SignatureReport } from '../wire/signature';
import { withoutSecrets } from './secrets';

/** One request, as the device saw it. Holds no password and no signature. */
export interface LogEntry {
  /** The device's time, ISO 8601. */
  readonly at: string;
  readonly method: string;
  /** The request target as sent, query included. */
  readonly path: string;
  /** The operation in words, such as "unlock the door"; empty for an unknown path. */
  readonly operation: string;
  /** The JSON body, or what kind of content came; absent when there was none or it was not looked at. */
  readonly parameters?: unknown;
  /** 0 when a fault kept the device from acting and from answering. */
  readonly status: number;
  readonly outcome: 'done' | 'refused' | 'failed';
  /** Why it was refused or failed, in full, also where the answer says less. */
  readonly reason?: string;
  /** What should have been signed, when Standard authentication refused it; worked out when it is read. */
  readonly signature?: SignatureReport;
  /** The faults that struck it, in words. */
  readonly fault?: string;
}

/** Notes a request down. `now` is the device's time in milliseconds, `fault` names the faults that struck it. */
export function entryOf(
  incoming: Incoming,
  operation: string,
  { status, reason, signature }: Answer,
  now: number,
  fault: string | undefined,
): LogEntry {
  const parameters = parametersOf(incoming);
  const entry: LogEntry = {
    at: new Date(now).toISOString(),
    method: incoming.method,
    path: masked(incoming.target),
    operation,
    ...(parameters === undefined ? {} : { parameters }),
    status,
    outcome: outcomeOf(status),
    ...(reason === undefined ? {} : { reason: masked(reason) }),
    ...(fault === undefined ? {} : { fault }),
  };
  return signature ? explained(entry, signature) : entry;
}

function parametersOf({ headers, body }: Incoming): unknown {
  const type = headers['content-type'] ?? 'no content type';
  if (!Buffer.isBuffer(body)) return { type, bytes: announcedBytes(headers), note: 'not taken in' };
  if (body.length === 0) return undefined;
  if (!type.startsWith('application/json') || body.length > maxPreviewBytes)
    return { type, bytes: body.length };
  try {
    return withoutSecrets(readJsonText(body));
  } catch {
    return { type, bytes: body.length, note: 'not JSON' };
  }
}

/** Masking leaves the shape as it is. */
function masked<T>(value: T): T {
  return withoutSecrets(value) as T;
}

function outcomeOf(status: number): LogEntry['outcome'] {
  if (status === 0) return 'failed';
  if (status < 400) return 'done';
  return status < 500 ? 'refused' : 'failed';
}

/** To explain a refusal takes a hundred times as long as to refuse, so that waits until somebody wants to know. */
function explained(entry: LogEntry, explain: () => SignatureReport): LogEntry {
  let signature: SignatureReport | undefined;
  const get = (): SignatureReport => {
    signature ??= masked(explain());
    return signature;
  };
  return Object.defineProperty(entry, 'signature', { get, enumerable: true });
}

/** A request on one line: what was asked, how it went (`result`), and why, with the mistake if one was found. */
export function lineOf(entry: LogEntry, result = String(entry.status)): string {
  const { method, path, operation, parameters, reason, signature } = entry;
  const asked = [method, path, operation && `(${operation})`, parameters && JSON.stringify(parameters)];
  const why = [reason, signature?.finding].filter(Boolean).join('; ');
  return `${asked.filter(Boolean).join(' ')} -> ${result}${why && `: ${why}`}`;
}

/** The last requests, oldest first. */
export class RequestLog {
  readonly #entries: LogEntry[] = [];
  readonly #length: number;

  constructor(length: number = logLength) {
    this.#length = length;
  }

  get entries(): readonly LogEntry[] {
    return this.#entries;
  }

  add(entry: LogEntry): void {
    this.#entries.push(entry);
    if (this.#entries.length > this.#length) this.#entries.shift();
  }
}
