import { logLength } from '../choices';
import type { LogEntry } from './entry';

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
