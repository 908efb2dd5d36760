import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Database, restoreDatabase, type SavedDatabase, saveDatabase } from '../schedule/database';
import { factoryFiles } from '../state/file-manager';

/** What a device remembers for good (section 1.3), as it is at a moment: whoever changes it makes another one. */
export interface Memory {
  readonly settings: ReadonlyMap<string, string>;
  /** Contents by path. */
  readonly files: ReadonlyMap<string, Buffer>;
  readonly schedules: Database;
}

/** Whether nothing has changed between two moments of one device. */
export function isSame(a: Memory, b: Memory): boolean {
  return a.schedules === b.schedules && hasSame(a.settings, b.settings) && hasSame(a.files, b.files);
}

function hasSame<V>(a: ReadonlyMap<string, V>, b: ReadonlyMap<string, V>): boolean {
  return a.size === b.size && [...a].every(([name, value]) => b.get(name) === value);
}

/** What `device.json` holds. */
interface Saved {
  readonly settings: Readonly<Record<string, string>>;
  readonly schedules: SavedDatabase;
  /** By path: the file on the disk that has the content, or nothing for one that came with the device. */
  readonly files: Readonly<Record<string, string | null>>;
}

/** Files that are called after their content, and what is left of one when its writer was killed. */
const ownFile = /^[0-9a-f]{64}(\.new)?$/;

/**
 * Keeps in a folder what a real device would keep: settings, files and schedules. Passwords are among the
 * settings, so nobody else may read them. A save counts from the moment when `device.json` is replaced:
 * whoever is killed or finds the disk full before that has what was there before, whole.
 */
export class Store {
  readonly #folder: string;
  readonly #contents: string;
  readonly #memory: string;
  readonly #names = new WeakMap<Buffer, string>();
  #kept: Memory | undefined;

  constructor(folder: string) {
    this.#folder = folder;
    this.#contents = path.join(folder, 'files');
    this.#memory = path.join(folder, 'device.json');
  }

  /** What was kept, if anything was. Throws a sentence for a person when it cannot be read. */
  load(): Memory | undefined {
    try {
      mkdirSync(this.#contents, { recursive: true, mode: 0o700 });
    } catch (error) {
      throw new Error(`the folder ${this.#folder} cannot be used (${reasonOf(error)})`);
    }
    const text = this.#read();
    if (text === undefined) return undefined;
    try {
      this.#kept = this.#memoryOf(JSON.parse(text));
      return this.#kept;
    } catch (error) {
      throw new Error(
        `what ${this.#memory} has kept cannot be read (${reasonOf(error)}); without that file it starts empty`,
      );
    }
  }

  /** Writes what has changed since. Throws what the file system throws, and has changed nothing then. */
  save(memory: Memory): void {
    if (this.#kept && isSame(this.#kept, memory)) return;
    const written: string[] = [];
    const files: Record<string, string | null> = {};
    try {
      for (const [name, content] of memory.files) {
        const own = factoryFiles.get(name) === content ? null : this.#nameOf(content);
        files[name] = own;
        if (own === null || existsSync(path.join(this.#contents, own))) continue;
        writeWhole(path.join(this.#contents, own), content);
        written.push(own);
      }
      const saved: Saved = {
        settings: Object.fromEntries(memory.settings),
        schedules: saveDatabase(memory.schedules),
        files,
      };
      writeWhole(this.#memory, JSON.stringify(saved, null, 2));
    } catch (error) {
      for (const own of written) rmSync(path.join(this.#contents, own), { force: true });
      throw error;
    }
    this.#kept = memory;
    this.#removeAllBut(Object.values(files));
  }

  /** What cannot be removed does no harm, and is tried again with the next change. */
  #removeAllBut(needed: readonly (string | null)[]): void {
    try {
      for (const name of readdirSync(this.#contents))
        if (ownFile.test(name) && !needed.includes(name)) rmSync(path.join(this.#contents, name));
    } catch {}
  }

  #memoryOf({ settings, schedules, files }: Saved): Memory {
    const contents = Object.entries(files).flatMap(([name, own]): [string, Buffer][] => {
      const content = own === null ? factoryFiles.get(name) : readFileSync(path.join(this.#contents, own));
      return content ? [[name, content]] : [];
    });
    return {
      settings: new Map(Object.entries(settings)),
      schedules: restoreDatabase(schedules),
      files: new Map(contents),
    };
  }

  /** Those of the device may be longer than a disk allows, or differ in capitals only. */
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
      throw new Error(`what ${this.#memory} has kept cannot be read (${reasonOf(error)})`);
    }
  }
}

/** Writes a file as a whole: a process that is killed meanwhile keeps the old file, a failed write leaves nothing. */
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

/** The cause without what was being done to which path: `ENOSPC: no space left on device`. */
export function reasonOf(error: unknown): string {
  const { message } = error instanceof Error ? error : new Error(String(error));
  return message.split(',', 1)[0] ?? message;
}
