import { logLength, maxPreviewBytes } from '../choices';
import type { Answer } from '../wire/answer';
import { type Incoming, splitTarget } from '../wire/incoming';
import { readJsonText } from '../wire/json-text';
import type { SignatureReport } from '../wire/signature';
import { printable } from './printable';
import { queryWithoutSecrets, withoutSecrets } from './secrets';

/** A request to the device and its result. Stars replace the values of secret fields. */
export interface LogEntry {
  /** Device time in ISO 8601. */
  readonly at: string;
  readonly method: string;
  /** Request target as sent, including the query. */
  readonly path: string;
  readonly operation: string;
  /** The JSON body; the media type and the size in bytes of any other body; absent if the body is empty. */
  readonly parameters?: unknown;
  /** Status of the answer; 0 if a fault prevented the answer and kept the device from acting. */
  readonly status: number;
  readonly outcome: 'done' | 'refused' | 'failed';
  /** The complete reason of a rejection or failure. The answer can say less. */
  readonly reason?: string;
  /** Report on the signature, if Standard authentication rejected the request. */
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
  const [, query] = splitTarget(incoming.target);
  const shownQuery = queryWithoutSecrets(query);
  const hasSecret = shownQuery !== query;
  // A reason can quote the target.
  const shown = (text: string) => (hasSecret ? text.replaceAll(query, () => shownQuery) : text);
  return {
    at: new Date(now).toISOString(),
    method: incoming.method,
    path: shown(incoming.target),
    operation,
    ...(parameters === undefined ? {} : { parameters }),
    status,
    outcome: outcomeOf(status),
    ...(reason === undefined ? {} : { reason: shown(reason) }),
    ...(fault === undefined ? {} : { fault }),
    // The explanation contains the query in several spellings.
    ...(signature && !hasSecret ? { signature } : {}),
  };
}

function parametersOf({ headers, body }: Incoming): unknown {
  const bytes = body?.length ?? Number(headers['content-length']);
  if (bytes === 0) return undefined;
  const [type] = (headers['content-type'] ?? 'no content type').split(';', 1);
  if (!body || type !== 'application/json' || bytes > maxPreviewBytes) return { type, bytes };
  try {
    return withoutSecrets(readJsonText(body));
  } catch {
    return { type, bytes };
  }
}

function outcomeOf(status: number): LogEntry['outcome'] {
  if (status === 0) return 'failed';
  if (status < 400) return 'done';
  return status < 500 ? 'refused' : 'failed';
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
