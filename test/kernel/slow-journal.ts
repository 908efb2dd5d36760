import type { Json } from '../../src/kernel/journal/lines';
import { MemoryJournal } from './memory-journal';

/** A value that is put, or undefined where it is deleted. */
type Change = readonly [key: string, value: Json | undefined];

/** A journal on a disk that takes its time: what was put a crash may lose, until it is written through. */
export class SlowJournal extends MemoryJournal {
  #unwritten: (readonly Change[])[] = [];
  #joined: Change[] | undefined;
  #next: Promise<void> | undefined;

  /** @param writeThrough calls what it is given when the disk has it */
  constructor(
    private readonly writeThrough: (done: () => void) => void,
    lines?: Iterable<readonly [string, Json]>,
  ) {
    super(lines);
  }

  get isWritten(): boolean {
    return this.#next === undefined;
  }

  override put(key: string, value: Json): Promise<void> {
    return this.#write(key, structuredClone(value));
  }

  override delete(key: string): Promise<void> {
    return this.#write(key, undefined);
  }

  override async batch(change: () => void): Promise<void> {
    const joined: Change[] = [];
    this.#joined = joined;
    change();
    this.#joined = undefined;
    if (joined.length > 0) await this.#writeAll(joined);
  }

  /** What is there after a crash: what was written through, and maybe some more. */
  remains(random: () => number): [string, Json][] {
    this.#apply(this.#unwritten.slice(0, Math.floor(random() * (this.#unwritten.length + 1))));
    return [...this.lines];
  }

  #write(key: string, value: Json | undefined): Promise<void> {
    if (!this.#joined) return this.#writeAll([[key, value]]);
    this.#joined.push([key, value]);
    return this.#writing();
  }

  #writeAll(changes: readonly Change[]): Promise<void> {
    this.#unwritten.push(changes);
    return this.#writing();
  }

  #writing(): Promise<void> {
    this.#next ??= new Promise((resolve) => {
      this.writeThrough(() => {
        this.#apply(this.#unwritten);
        this.#unwritten = [];
        this.#next = undefined;
        resolve();
      });
    });
    return this.#next;
  }

  #apply(changes: readonly (readonly Change[])[]): void {
    for (const [key, value] of changes.flat()) {
      if (value === undefined) this.lines.delete(key);
      else this.lines.set(key, value);
    }
  }
}
