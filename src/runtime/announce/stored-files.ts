import { DurableMap } from '../../kernel/durable-map';
import type { SharedJournal } from '../../kernel/journal/journal';
import { list, number, open, text } from '../../kernel/shape';

const storedPrefix = 'announce/files/';
/** Maximum number of files that announcements store on one device. */
export const maxFiles = 20;
export const maxBytes = 50 * 1_024 * 1_024;

interface StoredFile {
  readonly name: string;
  readonly bytes: number;
  /** Time of the last preparation with the file, in epoch milliseconds. */
  readonly usedAt: number;
}

export class StoredFiles {
  readonly #devices: DurableMap<readonly StoredFile[]>;

  constructor(journal: SharedJournal) {
    this.#devices = new DurableMap(journal, storedPrefix, storedFiles);
  }

  has(key: string, name: string): boolean {
    return this.#of(key).some((file) => file.name === name);
  }

  note(key: string, name: string, bytes: number, now: number): Promise<void> {
    const others = this.#of(key).filter((file) => file.name !== name);
    return this.#devices.set(key, [...others, { name, bytes, usedAt: now }]);
  }

  async forget(key: string, name: string): Promise<void> {
    const others = this.#of(key).filter((file) => file.name !== name);
    if (others.length === this.#of(key).length) return;
    await (others.length > 0 ? this.#devices.set(key, others) : this.#devices.delete(key));
  }

  /**
   * Returns the names of the files to delete before an upload, the longest unused first; undefined if the
   * needed files leave no room.
   * @param bytes size of the new file, in bytes
   * @param isNeeded whether a file must stay
   */
  surplus(key: string, bytes: number, isNeeded: (name: string) => boolean): string[] | undefined {
    const files = [...this.#of(key)].sort((a, b) => a.usedAt - b.usedAt);
    let count = files.length + 1;
    let sum = files.reduce((all, file) => all + file.bytes, bytes);
    const surplus: string[] = [];
    for (const file of files) {
      if (count <= maxFiles && sum <= maxBytes) break;
      if (isNeeded(file.name)) continue;
      surplus.push(file.name);
      count -= 1;
      sum -= file.bytes;
    }
    return count <= maxFiles && sum <= maxBytes ? surplus : undefined;
  }

  #of(key: string): readonly StoredFile[] {
    return this.#devices.get(key) ?? [];
  }
}

const storedFiles = list(open({ name: text(), bytes: number(), usedAt: number() }));
