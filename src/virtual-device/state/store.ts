import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Database } from '../schedule/database';
import { factoryFiles } from './file-manager';

/** The permanent state of a device at one moment (section 1.3). Immutable: a change creates a new object. */
export interface Memory {
  readonly settings: ReadonlyMap<string, string>;
  readonly files: ReadonlyMap<string, Buffer>;
  readonly schedules: Database;
}

/** Whether two states are equal. Schedules and the contents of files are compared by identity. */
export function isSame(a: Memory, b: Memory): boolean {
  return a.schedules === b.schedules && hasSame(a.settings, b.settings) && hasSame(a.files, b.files);
}

function hasSame<V>(a: ReadonlyMap<string, V>, b: ReadonlyMap<string, V>): boolean {
  return a.size === b.size && [...a].every(([name, value]) => b.get(name) === value);
}

interface Saved {
  readonly settings: Readonly<Record<string, string>>;
  readonly schedules: Database;
  /**
   * For each path on the device: the name of the file in `files/` that contains the content; null if the
   * content is that of the factory file.
   */
  readonly files: Readonly<Record<string, string | null>>;
}

/**
 * The name of a file in `files/`: the SHA-256 of the content. The suffix `.new` marks a remainder of an
 * interrupted write.
 */
const ownFile = /^[0-9a-f]{64}(\.new)?$/;

/**
 * Stores the permanent state in a folder. Only the user of the process can read the files, since settings
 * include passwords. A save takes effect when `device.json` is replaced: after an interruption, the previous
 * state stays complete.
 */
export class Store {
  readonly #folder: string;
  readonly #contents: string;
  readonly #memory: string;
  readonly #names = new WeakMap<Buffer, string>();

  constructor(folder: string) {
    this.#folder = folder;
    this.#contents = path.join(folder, 'files');
    this.#memory = path.join(folder, 'device.json');
  }

  /**
   * Returns the stored state; undefined if no state is stored.
   * @throws Error with a message for the user if the state cannot be read
   */
  load(): Memory | undefined {
    try {
      mkdirSync(this.#contents, { recursive: true, mode: 0o700 });
    } catch (error) {
      throw new Error(`the folder ${this.#folder} cannot be used (${reasonOf(error)})`);
    }
    const text = this.#read();
    if (text === undefined) return undefined;
    try {
      return this.#memoryOf(JSON.parse(text));
    } catch (error) {
      throw new Error(`${this.#memory} cannot be read (${reasonOf(error)}); delete the file to start empty`);
    }
  }

  /**
   * Stores a state.
   * @throws Error if the file system reports an error; the stored state then does not change
   */
  save(memory: Memory): void {
    const files = new Map<string, string | null>();
    for (const [name, content] of memory.files) {
      const own = factoryFiles.get(name) === content ? null : this.#nameOf(content);
      files.set(name, own);
      if (own === null || existsSync(path.join(this.#contents, own))) continue;
      writeWhole(path.join(this.#contents, own), content);
    }
    const saved: Saved = {
      settings: Object.fromEntries(memory.settings),
      schedules: memory.schedules,
      files: Object.fromEntries(files),
    };
    writeWhole(this.#memory, JSON.stringify(saved, null, 2));
    this.#removeAllBut([...files.values()]);
  }

  /**
   * Removes the contents that no path needs, also those of a save that failed. A file that cannot be removed is
   * harmless: the next save tries again.
   */
  #removeAllBut(needed: readonly (string | null)[]): void {
    try {
      const all = new Set(needed);
      for (const name of readdirSync(this.#contents))
        if (ownFile.test(name) && !all.has(name)) rmSync(path.join(this.#contents, name));
    } catch {}
  }

  #memoryOf({ settings, schedules, files }: Saved): Memory {
    if (!Array.isArray(schedules.events)) throw new Error('the schedule is not complete');
    const contents = Object.entries(files).flatMap(([name, own]): [string, Buffer][] => {
      const content = own === null ? factoryFiles.get(name) : readFileSync(path.join(this.#contents, own));
      return content ? [[name, content]] : [];
    });
    return {
      settings: new Map(Object.entries(settings)),
      schedules,
      files: new Map(contents),
    };
  }

  /**
   * The file name on the disk is a hash: the device's own file names can be too long for a disk, or differ
   * only in case.
   */
  #nameOf(content: Buffer): string {
    const name = this.#names.get(content) ?? createHash('sha256').update(content).digest('hex');
    this.#names.set(content, name);
    return name;
  }

  #read(): string | undefined {
    try {
      return readFileSync(this.#memory, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw new Error(`${this.#memory} cannot be read (${reasonOf(error)})`);
    }
  }
}

/**
 * Writes a file atomically: after an interruption, the old or the new file is complete. A failed write leaves
 * no partial file.
 */
function writeWhole(file: string, content: string | Buffer): void {
  const half = `${file}.new`;
  try {
    writeFileSync(half, content, { mode: 0o600 });
    renameSync(half, file);
  } catch (error) {
    rmSync(half, { force: true });
    throw error;
  }
}

/** Returns the message of a file system error without the path, such as `ENOSPC: no space left on device`. */
export function reasonOf(error: unknown): string {
  const { message } = error instanceof Error ? error : new Error(String(error));
  return message.split(',', 1)[0] ?? message;
}
