import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Core } from './core';
import type { SavedDatabase } from './schedule/database';

interface Memory {
  readonly settings: Readonly<Record<string, string>>;
  readonly schedules: SavedDatabase;
  readonly files: readonly string[];
}

/** Who is killed while writing keeps what was there before, whole. */
function writeWhole(file: string, content: string | Buffer): void {
  writeFileSync(`${file}.new`, content, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Names of files on a disk: those of the device may be longer, or differ in capitals only. */
function diskName(name: string): string {
  return createHash('sha256').update(name).digest('hex');
}

/**
 * Keeps in a folder what a real device would keep: settings, files and schedules. Passwords are among the
 * settings, so nobody else may read them. Methods throw what the file system throws.
 */
export class Store {
  readonly #folder: string;
  readonly #memory: string;
  #written = '';
  #files = new Map<string, Buffer>();

  constructor(folder: string) {
    this.#folder = path.join(folder, 'files');
    this.#memory = path.join(folder, 'device.json');
  }

  /** Gives a device back what was kept, if anything was. Throws a sentence for a person when it cannot. */
  load(core: Core): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    this.#files = new Map(core.files.files);
    const text = this.#read();
    if (text === undefined) return;
    try {
      this.#give(JSON.parse(text), core);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : cause;
      throw new Error(
        `what ${this.#memory} has kept cannot be read (${why}); without that file it begins anew`,
      );
    }
  }

  #give({ settings, schedules, files }: Memory, core: Core): void {
    core.settings.clear();
    for (const [name, value] of Object.entries(settings)) core.settings.set(name, value);
    core.scheduler.restore(schedules);
    const stored = new Set(readdirSync(this.#folder));
    const kept = files.filter((name) => stored.has(diskName(name)) || core.files.get(name));
    const contents = kept.map((name): [string, Buffer] => {
      const isStored = stored.has(diskName(name));
      const content = isStored ? readFileSync(path.join(this.#folder, diskName(name))) : core.files.get(name);
      return [name, content ?? Buffer.alloc(0)];
    });
    core.files.replaceAll(contents);
    this.#files = new Map(core.files.files);
    core.reload();
  }

  /** Writes what has changed since. */
  save(core: Core): void {
    const { files } = core.files;
    for (const [name, content] of files)
      if (this.#files.get(name) !== content) writeWhole(path.join(this.#folder, diskName(name)), content);
    for (const name of this.#files.keys())
      if (!files.has(name)) rmSync(path.join(this.#folder, diskName(name)), { force: true });
    this.#files = new Map(files);
    const memory = {
      settings: Object.fromEntries(core.settings),
      schedules: core.scheduler.saved,
      files: [...files.keys()],
    };
    const text = JSON.stringify(memory, null, 2);
    if (text === this.#written) return;
    writeWhole(this.#memory, text);
    this.#written = text;
  }

  #read(): string | undefined {
    try {
      return readFileSync(this.#memory, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }
}
