import { LOG_LENGTH } from './choices';

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
  readonly status: number;
  readonly outcome: 'done' | 'refused' | 'failed';
  /** Why it was refused or failed, in full, also where the answer says less. */
  readonly reason?: string;
}

/** The last requests, oldest first. */
export class RequestLog {
  readonly #entries: LogEntry[] = [];

  get entries(): readonly LogEntry[] {
    return this.#entries;
  }

  add(entry: LogEntry): void {
    this.#entries.push(entry);
    if (this.#entries.length > LOG_LENGTH) this.#entries.shift();
  }
}

const SECRET_NAME = /pass(word)?$|pwd/i;
const BASIC_CREDENTIALS = /Basic\s+[A-Za-z0-9+/=]+/g;

/** A copy of a request's body in which passwords and credentials are stars. */
export function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(BASIC_CREDENTIALS, 'Basic ***');
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      SECRET_NAME.test(name) ? '***' : withoutSecrets(item),
    ]),
  );
}
