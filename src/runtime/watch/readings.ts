import { Reader, type ReaderDevice, type Watcher } from './reader';
import type { Source } from './reading';
import type { Timing } from './timing';

/** What one device is read for: one reader per operation, however many nodes watch it. */
export class Readings {
  readonly #readers = new Map<string, Reader>();
  #closed = false;

  constructor(
    private readonly device: ReaderDevice,
    private readonly timing: Timing,
  ) {}

  /** Begins to read for a watcher, or lets it share what is read already. */
  join(source: Source, watcher: Watcher): Reader {
    const key = source.operation.route;
    const reader = this.#readers.get(key) ?? new Reader(this.device, source, this.timing);
    if (this.#closed) return reader;
    this.#readers.set(key, reader);
    reader.add(watcher);
    return reader;
  }

  /** Stops reading for a watcher; the last one leaves nothing behind. */
  leave(source: Source, watcher: Watcher): void {
    const key = source.operation.route;
    const reader = this.#readers.get(key);
    reader?.remove(watcher);
    if (reader?.isIdle) this.#readers.delete(key);
  }

  /** The device was told to do something: what it shows may have changed. */
  noteAction(): void {
    for (const reader of this.#readers.values()) reader.readSoon();
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Milliseconds of a clock that never jumps. */
  monotonic(): number {
    return this.timing.monotonic();
  }

  close(): void {
    this.#closed = true;
    for (const reader of this.#readers.values()) reader.stop();
    this.#readers.clear();
  }
}
