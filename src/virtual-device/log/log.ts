import { logLength } from '../choices';
import type { SignatureReport } from '../wire/signature';

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
  /** 0 when a fault kept every answer back. */
  readonly status: number;
  readonly outcome: 'done' | 'refused' | 'failed';
  /** Why it was refused or failed, in full, also where the answer says less. */
  readonly reason?: string;
  /** What should have been signed, when Standard authentication refused it; worked out when it is read. */
  readonly signature?: SignatureReport;
  /** The faults that struck it, in words. */
  readonly fault?: string;
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

const secretName = /pass(word)?$|pwd/i;
const basicCredentials = /Basic\s+[A-Za-z0-9+/=]+/g;
/** `"api.admin.pwd": "…"` inside of a text that is JSON itself, and `password=…` in a query. */
const secretInText = /((?:pass(?:word)?|pwd)"?\s*[:=]\s*)("(?:[^"\\]|\\.)*"?|[^\s&,"}]+)/gi;

/** Whether a value of this name is nobody's business. */
export function isSecret(name: string): boolean {
  return secretName.test(name);
}

/** A copy of a request's body in which passwords and credentials are stars. */
export function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replace(basicCredentials, 'Basic ***').replace(secretInText, '$1***');
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, isSecret(name) ? '***' : withoutSecrets(item)]),
  );
}
