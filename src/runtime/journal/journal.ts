import fs, { type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { wordsOf } from '../../client/errors';
import { Deadline } from '../../time/deadline';
import { deleteLine, type Json, joinedLine, putLine, type Reading, readLines, valueIn } from './lines';
import { lock } from './lock';
import { read, run, runSync, type Steps } from './steps';

/** A file may have so many lines before those that no longer count are dropped, and then so many per key. */
const maxLines = { always: 1_000, perKey: 4 };

/** After a failed write the next one is tried this much later at the earliest, in milliseconds. */
const respiteMs = 30_000;

/** So long somebody waits for the disk at most, in milliseconds. */
const limitMs = 1_000;

/** A disk that hangs again within this time is not told again, in milliseconds. */
const quietMs = 600_000;

/** What a journal needs of the surroundings. */
interface JournalOptions {
  /** Says that something is wrong: once for a folder that cannot be used, a file that is full, a disk that hangs. */
  readonly warn: (sentence: string) => void;
  /** Of a clock that never jumps, in milliseconds. */
  readonly monotonic?: () => number;
  /** Runs the task once in `ms`. Returns what cancels it. */
  readonly after?: (ms: number, task: () => void) => () => void;
  readonly files?: Pick<typeof fs, 'mkdir' | 'open' | 'readFile' | 'rename' | 'rm' | 'writeFile'>;
}

/** A limit that counts only while this process runs: the disk may have answered meanwhile. */
function after(ms: number, task: () => void): () => void {
  const limit = new Deadline(task, ms);
  return () => limit.clear();
}

/**
 * What must survive a crash: a map of keys to JSON, in a file of lines in a folder of ours, since a context store of
 * Node-RED can lose the last 30 s. What is put is there at once; the promise says when it is written through. Where
 * the folder cannot be used, or the disk is full, that is said once and everything goes on in memory. Nobody waits
 * for a disk that hangs: that is said once too, and when the disk answers, the whole file is written. Never holds a
 * secret.
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
  /** A call of the file system has not returned in time: until it does, nobody waits, and no lines pile up. */
  #isStuck = false;
  #toldStuckAt = Number.NEGATIVE_INFINITY;
  /** What is waited for, and the same with a limit. */
  #waiting: { readonly writing: Promise<void>; readonly limited: Promise<void> } | undefined;
  /** Those who wait. */
  readonly #letGo = new Set<() => void>();
  /** The folder has been made and read; or it cannot be used, and everything is in memory only. */
  #folder: 'new' | 'open' | 'unusable' = 'new';
  #unlock: (() => Steps<void>) | undefined;
  #isClosed = false;

  private constructor(
    private readonly directory: string,
    private readonly options: JournalOptions,
  ) {}

  /** Reads what is there, before it returns: for the start of Node-RED. Never throws. */
  static open(directory: string, options: JournalOptions): Journal {
    const journal = new Journal(directory, options);
    runSync(journal.#open());
    return journal;
  }

  /** For a folder that is not there: it is made when something is first put, which holds up nothing. */
  static create(directory: string, options: JournalOptions): Journal {
    return new Journal(directory, options);
  }

  get(key: string): Json | undefined {
    const line = this.#lines.get(key);
    return line === undefined ? undefined : valueIn(line);
  }

  /** Everything whose key begins so. */
  *entries(prefix: string): Generator<[key: string, value: Json]> {
    for (const [key, line] of this.#lines) if (key.startsWith(prefix)) yield [key, valueIn(line)];
  }

  /** @returns what resolves when it is written through, or cannot be in time; it never rejects */
  put(key: string, value: Json): Promise<void> {
    const line = putLine(key, value);
    this.#lines.set(key, line);
    return this.#write(line);
  }

  /** @returns as `put` */
  delete(key: string): Promise<void> {
    return this.#lines.delete(key) ? this.#write(deleteLine(key)) : this.#whenWritten();
  }

  /**
   * What is put and deleted while this runs counts together or, where a crash tears the write, not at all.
   * @returns as `put`
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
    return this.#whenWritten();
  }

  /** Writes what is not written, and lets go of the folder. What is put later is kept in memory only. */
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

  *#open(): Steps<void> {
    try {
      yield (files) => files.mkdir(this.directory, { recursive: true, mode: 0o700 });
      this.#unlock = yield* lock(path.join(this.directory, 'lock'));
      this.#take(readLines(yield* textOf(this.#file)));
      this.#folder = 'open';
    } catch (error) {
      this.#folder = 'unusable';
      if (this.#unlock) yield* this.#unlock();
      this.#unlock = undefined;
      this.#warn(`${this.directory} cannot be used: ${wordsOf(error)}`);
    }
  }

  #take({ lines, count, damaged, torn }: Reading): void {
    for (const [key, line] of this.#lines) lines.set(key, line);
    this.#isAnew = torn || damaged > 0 || count === 0 || this.#lines.size > 0;
    this.#lines = lines;
    this.#linesInFile = count;
    if (damaged > 0) this.say(`${damaged} lines of ${this.#file} cannot be read and are left out`);
  }

  #write(line: string): Promise<void> {
    if (this.#isClosed || this.#folder === 'unusable') return Promise.resolve();
    if (this.#isStuck) this.#isAnew = true;
    else (this.#joined ?? this.#unwritten).push(line);
    this.#next ??= this.#flush(this.#last);
    return this.#whenWritten();
  }

  /** Resolves when all is written through, after a second at the latest, and at once while the disk is stuck. */
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
    if (now - this.#toldStuckAt < quietMs) return;
    this.#toldStuckAt = now;
    const until =
      'what has to survive a restart of Node-RED, such as pending ends, is kept in memory until it does';
    this.say(`The disk of ${this.#file} does not answer; starts do not wait for it, and ${until}`);
  }

  /** All that is put in one turn of the event loop, and while the last ones are written, goes in one write. */
  async #flush(last: Promise<void>): Promise<void> {
    await new Promise(setImmediate);
    await last;
    if (this.#next) this.#last = this.#next;
    this.#next = undefined;
    const lines = this.#unwritten;
    this.#unwritten = [];
    await this.#persist(lines);
    // The disk has answered. What was put meanwhile is written by the next flush, which waits for this one.
    this.#isStuck = false;
  }

  /** Never rejects. */
  async #persist(lines: readonly string[]): Promise<void> {
    const now = this.#monotonic();
    if (now - this.#failedAt < respiteMs && !this.#isClosed) return;
    try {
      if (this.#folder === 'new') await run(this.#open(), this.#files);
      if (this.#folder === 'open')
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
    return this.#linesInFile > maxLines.always + maxLines.perKey * this.#lines.size;
  }

  async #append(lines: readonly string[]): Promise<void> {
    this.#handle ??= await this.#files.open(this.#file, 'a', 0o600);
    await this.#handle.appendFile(lines.join(''));
    await this.#handle.datasync();
    this.#linesInFile += lines.length;
  }

  /** Puts a new file in the place of the old one, which is whole until then. */
  async #writeAnew(): Promise<void> {
    // What is put from now on while the disk is stuck asks for a new file again.
    this.#isAnew = false;
    const lines = [...this.#lines.values()];
    const fresh = `${this.#file}.new`;
    const handle = await this.#files.open(fresh, 'w', 0o600);
    try {
      await handle.appendFile(lines.join(''));
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

  /** So that the new name survives a crash, too. Not every system can. */
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

function* textOf(file: string): Steps<string> {
  try {
    return yield* read(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
