import { logLength, maxPreviewBytes } from '../choices';
import type { Answer } from '../wire/answer';
import { announcedBytes } from '../wire/authentication';
import type { Incoming } from '../wire/incoming';
import { readJsonText } from '../wire/json-text';
import type { SignatureReport } from '../wire/signature';
import { printable } from './escapes';
import { withoutSecrets } from './secrets';

/** Maximum length of each text in the log, in characters. Masking longer ones would take too much time. */
const maxTextLength = 1000;

/** A request to the device and its result. Stars replace secrets. */
export interface LogEntry {
  /** Device time in ISO 8601. */
  readonly at: string;
  readonly method: string;
  /** Start of the request target as sent, including the query; stars replace secrets. */
  readonly path: string;
  readonly operation: string;
  /** The JSON body; its type and its size in bytes if it is not JSON, is too long or was not read; absent if it is empty. */
  readonly parameters?: unknown;
  /** Status of the answer; 0 if a fault prevented the answer and kept the device from acting. */
  readonly status: number;
  readonly outcome: 'done' | 'refused' | 'failed';
  /** The complete reason of a rejection or failure. The answer can say less. */
  readonly reason?: string;
  /** Report on the signature, if Standard authentication rejected the request; calculated on first access. */
  readonly signature?: SignatureReport;
  readonly fault?: string;
}

/**
 * @param now device time in epoch milliseconds
 * @param fault description of the faults that affect the request
 */
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
    path: shown(incoming.target),
    operation,
    ...(parameters === undefined ? {} : { parameters }),
    status,
    outcome: outcomeOf(status),
    ...(reason === undefined ? {} : { reason: shown(reason) }),
    ...(fault === undefined ? {} : { fault }),
  };
  return signature ? withSignatureReport(entry, signature) : entry;
}

function parametersOf({ headers, body }: Incoming): unknown {
  const type = shown(headers['content-type'] ?? 'no content type');
  if (!Buffer.isBuffer(body)) return { type, bytes: announcedBytes(headers), note: 'not read' };
  if (body.length === 0) return undefined;
  if (!type.startsWith('application/json') || body.length > maxPreviewBytes)
    return { type, bytes: body.length };
  try {
    return withoutSecrets(readJsonText(body));
  } catch {
    return { type, bytes: body.length, note: 'not JSON' };
  }
}

function shown(text: string): string {
  return String(withoutSecrets(text.slice(0, maxTextLength)));
}

function shownReport({ expected, implied, finding, signed, ...others }: SignatureReport): SignatureReport {
  return {
    ...others,
    expected: expected.map(shown),
    implied: shown(implied),
    ...(finding !== undefined && { finding: shown(finding) }),
    ...(signed !== undefined && { signed: shown(signed) }),
    md5: { sent: shown(others.md5.sent), actual: others.md5.actual },
  };
}

function outcomeOf(status: number): LogEntry['outcome'] {
  if (status === 0) return 'failed';
  if (status < 400) return 'done';
  return status < 500 ? 'refused' : 'failed';
}

/**
 * Adds the explanation of a rejected signature, calculated on first access because the calculation is slow.
 */
function withSignatureReport(entry: LogEntry, explain: () => SignatureReport): LogEntry {
  let signature: SignatureReport | undefined;
  const get = (): SignatureReport => {
    signature ??= shownReport(explain());
    return signature;
  };
  return Object.defineProperty(entry, 'signature', { get, enumerable: true });
}

export function lineOf(entry: LogEntry, result = String(entry.status)): string {
  const { method, path, operation, parameters, reason, signature } = entry;
  const asked = [method, path, operation && `(${operation})`, parameters && JSON.stringify(parameters)];
  const why = [reason, signature?.finding].filter(Boolean).join('; ');
  return printable(`${asked.filter(Boolean).join(' ')} -> ${result}${why && `: ${why}`}`);
}

export class Log<E> {
  readonly #entries: E[] = [];
  readonly #length: number;

  constructor(length: number = logLength) {
    this.#length = length;
  }

  get entries(): readonly E[] {
    return this.#entries;
  }

  add(entry: E): void {
    this.#entries.push(entry);
    if (this.#entries.length > this.#length) this.#entries.shift();
  }
}
