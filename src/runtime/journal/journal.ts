import { mkdirSync, readFileSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { wordsOf } from '../../client/errors';
import { deleteLine, type Json, joinedLine, putLine, readLines, valueIn } from './lines';
import { lock } from './lock';

/** A file may have so many lines before those that no longer count are dropped, and then so many per key. */
const mostLines = { always: 1_000, perKey: 4 };

/** After a failed write the next one is tried this much later at the earliest, in milliseconds. */
const respiteMs = 30_000;

/** What a journal needs of the surroundings. */
export interface JournalOptions {
  /** Says that something is wrong: once for a folder that cannot be used, once for a file that is full. */
  readonly warn: (sentence: string) => void;
  /** Of a clock that never jumps, in milliseconds. */
  readonly monotonic?: () => number;
}

/**
 * What must survive a crash: a map of keys to JSON, in a file of lines in a folder of ours. What is put is there
 * at once; the promise says when it is written through. Where the folder cannot be used, or the disk is full,
 * that is said once and everything goes on in memory. Never holds a secret.
 *
 * Keys begin with what they are about, for example `end/`.
 */
export class Journal {
  /** The line of each key: a value that somebody changes later stays here as it was put. */
  #lines = new Map<string, string>();
  /** What is not in the file yet, in order. */
  #unwritten: string[] = [];
  /** What is put now counts together with what is put next. */
  #joined: string[] | undefined;
  /** When that will be written through. */
  #next: Promise<void> | undefined;
  #last: Promise<void> = Promise.resolve();
  #handle: FileHandle | undefined;
  #linesInFile = 0;
  /** The file is to be written anew: it is not there, or what is behind its last whole line is not known. */
  #isAnew = false;
  #failedAt = Number.NEGATIVE_INFINITY;
  #hasWarned = false;
  #unlock: (() => void) | undefined;
  #isClosed = false;

  private constructor(
    private readonly directory: string,
    private readonly options: JournalOptions,
  ) {}

  /** Reads what is there. Never throws. */
  static open(directory: string, options: JournalOptions): Journal {
    const journal = new Journal(directory, options);
    journal.#open();
    return journal;
  }

  get(key: string): Json | undefined {
    const line = this.#lines.get(key);
    return line === undefined ? undefined : valueIn(line);
  }

  /** Everything whose key begins so. */
  *entries(prefix: string): Generator<[key: string, value: Json]> {
    for (const [key, line] of this.#lines) if (key.startsWith(prefix)) yield [key, valueIn(line)];
  }

  /** @returns what resolves when it is written through, or cannot be; it never rejects */
  put(key: string, value: Json): Promise<void> {
    const line = putLine(key, value);
    this.#lines.set(key, line);
    return this.#write(line);
  }

  /** @returns as `put` */
  delete(key: string): Promise<void> {
    return this.#lines.delete(key) ? this.#write(deleteLine(key)) : (this.#next ?? this.#last);
  }

  /**
   * What is put and deleted while this runs counts together or, where a crash tears the write, not at all.
   * @returns when it is written through; it never rejects
   */
  together(change: () => void): Promise<void> {
    if (this.#joined) {
      change();
    } else {
      const joined: string[] = [];
      this.#joined = joined;
      try {
        change();
      } finally {
        this.#joined = undefined;
        if (joined.length > 0) void this.#write(joinedLine(joined));
      }
    }
    return this.#next ?? this.#last;
  }

  /** Writes what is not written, and lets go of the folder. What is put later is kept in memory only. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#next;
    await this.#last;
    await this.#handle?.close().catch(() => {});
    this.#unlock?.();
    this.#unlock = undefined;
  }

  get #file(): string {
    return path.join(this.directory, 'journal.jsonl');
  }

  #open(): void {
    try {
      mkdirSync(this.directory, { recursive: true, mode: 0o700 });
      this.#unlock = lock(path.join(this.directory, 'lock'));
      const { lines, count, damaged, torn } = readLines(textOf(this.#file));
      this.#lines = lines;
      this.#linesInFile = count;
      this.#isAnew = torn || damaged > 0 || count === 0;
      if (damaged > 0) this.say(`${damaged} lines of ${this.#file} cannot be read and are left out`);
    } catch (error) {
      this.#unlock?.();
      this.#unlock = undefined;
      this.#warn(`${this.directory} cannot be used: ${wordsOf(error)}`);
    }
  }

  #write(line: string): Promise<void> {
    if (this.#isClosed || !this.#unlock) return Promise.resolve();
    (this.#joined ?? this.#unwritten).push(line);
    this.#next ??= this.#flush(this.#last);
    return this.#next;
  }

  /** All that is put in one turn of the event loop, and while the last ones are written, goes in one write. */
  async #flush(last: Promise<void>): Promise<void> {
    await new Promise(setImmediate);
    await last;
    if (this.#next) this.#last = this.#next;
    this.#next = undefined;
    const lines = this.#unwritten;
    this.#unwritten = [];
    const now = this.#monotonic();
    if (now - this.#failedAt < respiteMs && !this.#isClosed) return;
    try {
      await (this.#isAnew || this.#isBloated ? this.#writeAnew() : this.#append(lines));
      this.#failedAt = Number.NEGATIVE_INFINITY;
    } catch (error) {
      // What of it is in the file nobody knows: nothing is written behind it any more.
      this.#isAnew = true;
      this.#failedAt = now;
      this.#warn(`${this.#file} cannot be written: ${wordsOf(error)}`);
    }
  }

  get #isBloated(): boolean {
    return this.#linesInFile > mostLines.always + mostLines.perKey * this.#lines.size;
  }

  async #append(lines: readonly string[]): Promise<void> {
    this.#handle ??= await open(this.#file, 'a', 0o600);
    await this.#handle.appendFile(lines.join(''));
    await this.#handle.datasync();
    this.#linesInFile += lines.length;
  }

  /** Puts a new file in the place of the old one, which is whole until then. */
  async #writeAnew(): Promise<void> {
    const lines = [...this.#lines.values()];
    const fresh = `${this.#file}.new`;
    const handle = await open(fresh, 'w', 0o600);
    try {
      await handle.appendFile(lines.join(''));
      await handle.sync();
      await rename(fresh, this.#file);
    } catch (error) {
      await handle.close().catch(() => {});
      await rm(fresh, { force: true }).catch(() => {});
      throw error;
    }
    await this.#handle?.close().catch(() => {});
    this.#handle = handle;
    this.#linesInFile = lines.length;
    this.#isAnew = false;
    await syncDirectory(this.directory);
  }

  #monotonic(): number {
    return (this.options.monotonic ?? (() => performance.now()))();
  }

  #warn(reason: string): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    const now = 'what has to survive a restart of Node-RED, such as pending ends, is kept in memory only';
    this.say(`${reason}; ${now}`);
  }

  /** Says a sentence in the log. Never throws. */
  say(sentence: string): void {
    try {
      this.options.warn(sentence);
    } catch {
      // A log that cannot be written is no reason to lose what is to be kept.
    }
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** So that the new name survives a crash, too. Not every system can. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
