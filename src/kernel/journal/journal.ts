import fs, { type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { Deadline } from '../time/deadline';
import {
  deleteLine,
  type Json,
  joinedLine,
  putLine,
  type ReadLines,
  readLines,
  textOf,
  valueIn,
} from './lines';
import { HeldError, lock } from './lock';
import { read, run, runSync, type Steps } from './steps';

/** The journal rewrites its file when the file has more lines than `always` plus `perKey` for each key. */
const maxLines = { always: 1_000, perKey: 4 };

/** Time after the start of a failed write in which only `close` tries to write again, in milliseconds. */
const respiteMs = 30_000;

/** Maximum time for which a caller waits for the disk, in milliseconds. */
const limitMs = 1_000;

/** Minimum time between two warnings that the disk hangs, in milliseconds. */
const quietMs = 600_000;

interface JournalOptions {
  readonly warn: (sentence: string) => void;
  readonly monotonic?: () => number;
  readonly after?: (ms: number, task: () => void) => () => void;
  readonly files?: Pick<typeof fs, 'mkdir' | 'open' | 'readFile' | 'rename' | 'rm' | 'writeFile'>;
}

/**
 * Starts a timer for which one blockage of the event loop counts as at most a small part of the time (see
 * `Deadline`). With a plain timer, a long blockage could make the timer fire before the event loop notices
 * the disk's answer.
 */
function after(ms: number, task: () => void): () => void {
  const limit = new Deadline(task, ms);
  return () => limit.clear();
}

/** The part of a journal that its users need. A Node-RED without a user directory has one that stores nothing. */
export type SharedJournal = Pick<Journal, 'entries' | 'put' | 'delete' | 'batch'> &
  Partial<Pick<Journal, 'warn' | 'isWritable' | 'isForeign'>>;

/**
 * A store of state that must survive a crash: a map from keys to JSON, in a file of lines. If the folder is
 * unusable or a write fails, the journal warns once and continues in memory. The file is read all the same, if
 * that is possible. A key starts with its topic, for example `end/`.
 */
export class Journal {
  /** The line of each key. A line keeps the value even if the caller later changes the object. */
  #lines = new Map<string, string>();
  #unwritten: string[] = [];
  #joined: string[] | undefined;
  /**
   * The next flush: resolves when its lines are on disk or the write has failed; undefined if no change
   * waits.
   */
  #next: Promise<void> | undefined;
  #last: Promise<void> = Promise.resolve();
  #handle: FileHandle | undefined;
  #linesInFile = 0;
  /**
   * Whether the next write rewrites the file, for example because the file is missing or damaged, or a write
   * has failed.
   */
  #mustRewrite = false;
  #failedAt = Number.NEGATIVE_INFINITY;
  #hasWarned = false;
  /**
   * Whether a write has exceeded `limitMs`. Until the write ends, no caller waits, and no lines are
   * collected.
   */
  #isStuck = false;
  #warnedStuckAt = Number.NEGATIVE_INFINITY;
  #waiting: { readonly writing: Promise<void>; readonly limited: Promise<void> } | undefined;
  readonly #letGo = new Set<() => void>();
  /** `new`: the folder was not read yet. `unusable`: all state is in memory only. */
  #folder: 'new' | 'open' | 'unusable' = 'new';
  #unlock: (() => Steps<void>) | undefined;
  #isClosed = false;
  #isForeign = false;

  private constructor(
    private readonly directory: string,
    private readonly options: JournalOptions,
  ) {}

  /** Opens a journal and reads its file synchronously, which blocks the start of Node-RED. Never throws. */
  static open(directory: string, options: JournalOptions): Journal {
    const journal = new Journal(directory, options);
    runSync(journal.#open());
    return journal;
  }

  /**
   * Creates a journal without reading its folder, which does not exist yet. The first write creates the
   * folder, so that the start of Node-RED does not wait for the disk.
   */
  static create(directory: string, options: JournalOptions): Journal {
    return new Journal(directory, options);
  }

  /** Whether the last write has succeeded, so that a restart finds the state again. */
  get isWritable(): boolean {
    return this.#folder !== 'unusable' && this.#failedAt === Number.NEGATIVE_INFINITY;
  }

  /**
   * Whether another running process holds the journal: its state is that of this other process, which still acts
   * on it.
   */
  get isForeign(): boolean {
    return this.#isForeign;
  }

  get(key: string): Json | undefined {
    const line = this.#lines.get(key);
    return line === undefined ? undefined : valueIn(line);
  }

  *entries(prefix: string): Generator<[key: string, value: Json]> {
    for (const [key, line] of this.#lines) if (key.startsWith(prefix)) yield [key, valueIn(line)];
  }

  /**
   * Stores a value.
   * @returns a promise that resolves when the value is on disk, the write has failed or `limitMs` is over;
   * never rejects
   */
  put(key: string, value: Json): Promise<void> {
    const line = putLine(key, value);
    this.#lines.set(key, line);
    return this.#write(line);
  }

  delete(key: string): Promise<void> {
    return this.#lines.delete(key) ? this.#write(deleteLine(key)) : this.#whenWritten();
  }

  /**
   * Joins the changes of a callback: after a crash, the file has either all changes or none.
   * @returns a promise that resolves as for `put`
   */
  batch(change: () => void): Promise<void> {
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
    return this.#whenWritten();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#next;
    await this.#last;
    await this.#handle?.close().catch(() => {});
    if (this.#unlock) await run(this.#unlock(), this.#files);
    this.#unlock = undefined;
  }

  get #file(): string {
    return path.join(this.directory, 'journal.jsonl');
  }

  get #files(): NonNullable<JournalOptions['files']> {
    return this.options.files ?? fs;
  }

  /**
   * Reads the file also if it cannot be locked or written, so that Node-RED knows the state from before its
   * start.
   */
  *#open(): Steps<void> {
    const locked = yield* settled(this.#lock());
    const read = yield* settled(textIn(this.#file));
    if ('done' in read) this.#take(readLines(read.done));
    const failed = [locked, read].find((result) => 'error' in result);
    if (!failed) {
      this.#folder = 'open';
      return;
    }
    this.#folder = 'unusable';
    this.#isForeign = failed.error instanceof HeldError;
    if (this.#unlock) yield* this.#unlock();
    this.#unlock = undefined;
    this.#warn(`${this.directory} cannot be used: ${messageOf(failed.error)}`);
  }

  *#lock(): Steps<void> {
    yield (files) => files.mkdir(this.directory, { recursive: true, mode: 0o700 });
    this.#unlock = yield* lock(path.join(this.directory, 'lock'));
  }

  #take({ lines, count, damaged, torn }: ReadLines): void {
    for (const [key, line] of this.#lines) lines.set(key, line);
    this.#mustRewrite = torn || damaged > 0 || count === 0 || this.#lines.size > 0;
    this.#lines = lines;
    this.#linesInFile = count;
    if (damaged > 0) this.warn(`${damaged} lines of ${this.#file} cannot be read and are left out`);
  }

  #write(line: string): Promise<void> {
    if (this.#isClosed || this.#folder === 'unusable') return Promise.resolve();
    if (this.#isStuck) this.#mustRewrite = true;
    else (this.#joined ?? this.#unwritten).push(line);
    this.#next ??= this.#flush(this.#last);
    return this.#whenWritten();
  }

  /**
   * Resolves when all changes are on disk or the write has failed, at the latest after `limitMs`. While the
   * disk hangs, resolves immediately.
   */
  #whenWritten(): Promise<void> {
    if (this.#isStuck) return Promise.resolve();
    const writing = this.#next ?? this.#last;
    if (this.#waiting?.writing !== writing) this.#waiting = { writing, limited: this.#limited(writing) };
    return this.#waiting.limited;
  }

  #limited(writing: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const cancel = (this.options.after ?? after)(limitMs, () => this.#stick());
      const letGo = () => {
        cancel();
        this.#letGo.delete(letGo);
        resolve();
      };
      this.#letGo.add(letGo);
      void writing.then(letGo);
    });
  }

  #stick(): void {
    this.#isStuck = true;
    this.#waiting = undefined;
    for (const letGo of this.#letGo) letGo();
    const now = this.#monotonic();
    if (now - this.#warnedStuckAt < quietMs) return;
    this.#warnedStuckAt = now;
    const until =
      'data that must survive a restart of Node-RED, such as pending stops, is kept in memory until it does';
    this.warn(`The disk of ${this.#file} does not respond; starts do not wait for it, and ${until}`);
  }

  async #flush(last: Promise<void>): Promise<void> {
    await new Promise(setImmediate);
    await last;
    if (this.#next) this.#last = this.#next;
    this.#next = undefined;
    const lines = this.#unwritten;
    this.#unwritten = [];
    await this.#persist(lines);
    // The write has ended, so callers can wait for the disk again.
    this.#isStuck = false;
  }

  /** Never rejects: after a failure, the journal warns and rewrites the file later. */
  async #persist(lines: readonly string[]): Promise<void> {
    const now = this.#monotonic();
    if (now - this.#failedAt < respiteMs && !this.#isClosed) return;
    try {
      if (this.#folder === 'new') await run(this.#open(), this.#files);
      if (this.#folder === 'open')
        await (this.#mustRewrite || this.#isBloated ? this.#rewrite() : this.#append(lines));
      this.#failedAt = Number.NEGATIVE_INFINITY;
    } catch (error) {
      // The end of the file is unknown, so nothing may be appended.
      this.#mustRewrite = true;
      this.#failedAt = now;
      this.#warn(`${this.#file} cannot be written: ${messageOf(error)}`);
    }
  }

  get #isBloated(): boolean {
    return this.#linesInFile > maxLines.always + maxLines.perKey * this.#lines.size;
  }

  async #append(lines: readonly string[]): Promise<void> {
    this.#handle ??= await this.#files.open(this.#file, 'a', 0o600);
    await this.#handle.appendFile(textOf(lines));
    await this.#handle.datasync();
    this.#linesInFile += lines.length;
  }

  /** Replaces the file by a complete new file, so that a crash loses no line. */
  async #rewrite(): Promise<void> {
    // Reset first: a change during a write that hangs must be able to set the flag again.
    this.#mustRewrite = false;
    const lines = [...this.#lines.values()];
    const fresh = `${this.#file}.new`;
    const handle = await this.#files.open(fresh, 'w', 0o600);
    try {
      await handle.appendFile(textOf(lines));
      await handle.sync();
      await this.#files.rename(fresh, this.#file);
    } catch (error) {
      await handle.close().catch(() => {});
      await this.#files.rm(fresh, { force: true }).catch(() => {});
      throw error;
    }
    await this.#handle?.close().catch(() => {});
    this.#handle = handle;
    this.#linesInFile = lines.length;
    await this.#syncDirectory();
  }

  /**
   * Syncs the directory, so that the renaming of the file survives a crash. Windows cannot sync directories.
   */
  async #syncDirectory(): Promise<void> {
    if (process.platform === 'win32') return;
    const handle = await this.#files.open(this.directory, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  #monotonic(): number {
    return (this.options.monotonic ?? (() => performance.now()))();
  }

  #warn(reason: string): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    const now = 'data that must survive a restart of Node-RED, such as pending stops, is kept in memory only';
    this.warn(`${reason}; ${now}`);
  }

  warn(sentence: string): void {
    try {
      this.options.warn(sentence);
    } catch {
      // A failing log must not stop the journal.
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

type Settled<T> = { readonly done: T } | { readonly error: unknown };

function* settled<T>(steps: Steps<T>): Steps<Settled<T>> {
  try {
    return { done: yield* steps };
  } catch (error) {
    return { error };
  }
}

function* textIn(file: string): Steps<string> {
  try {
    return yield* read(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
