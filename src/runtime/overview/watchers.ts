import { randomBytes } from 'node:crypto';
import type { Clock } from '../../time/clock';
import type { OverviewChange, OverviewNews, OverviewRow } from '../answers';
import type { Overview } from './overview';
import { changeOf } from './rows';

/** A sidebar that is not heard of for so long is not looked at any more, in milliseconds. */
const leaseMs = 30_000;
/** Between two looks, in milliseconds. */
const pauseMs = 500;
/** So many rows are told at once; the others wait for the next look. */
const maxRowsAtOnce = 2_000;
const maxLeases = 500;

/** Where a sidebar is, and what it has been told. */
interface Watcher {
  endsAt: number;
  /** Its editor's line to Node-RED; undefined until it has said which one that is. */
  session: string | undefined;
  /** Told for the first time. */
  isGreeted: boolean;
  readonly told: Map<string, OverviewRow>;
  /** Ids of rows that may have changed since. */
  readonly due: Set<string>;
}

interface WatchersOptions {
  readonly overview: Pick<Overview, 'rows' | 'refresh' | 'clear'>;
  readonly timing: Pick<Clock, 'monotonic' | 'after'>;
  /** Tells one editor. */
  readonly tell: (session: string, news: OverviewNews) => void;
  readonly onFault: (fault: unknown) => void;
}

/** Those who look at the overview. While nobody does, nothing happens here, and no timer waits. */
export class Watchers {
  readonly #watchers = new Map<string, Watcher>();
  #cancelLook: (() => void) | undefined;

  constructor(private readonly options: WatchersOptions) {}

  /**
   * Somebody who may looks, or still looks.
   * @param lease the one that was given before; another one is given where it has run out
   */
  lease(lease: unknown): string {
    this.#forgetEnded();
    const known = typeof lease === 'string' ? lease : '';
    const watcher = this.#watchers.get(known);
    if (watcher) {
      watcher.endsAt = this.#endsAt();
      return known;
    }
    // The oldest is first: whoever still looks asks for another one.
    const [oldest] = this.#watchers.keys();
    if (oldest !== undefined && this.#watchers.size >= maxLeases) this.#watchers.delete(oldest);
    const given = randomBytes(18).toString('base64url');
    this.#watchers.set(given, {
      endsAt: this.#endsAt(),
      session: undefined,
      isGreeted: false,
      told: new Map(),
      due: new Set(),
    });
    return given;
  }

  /** The editor on this line has this lease: from now on it is told, beginning with everything. */
  attach(lease: string, session: string): void {
    const watcher = this.#watchers.get(lease);
    if (!watcher || watcher.session === session) return;
    // An editor has one sidebar: what it had before counts no more.
    this.#forget(session);
    watcher.session = session;
    watcher.isGreeted = false;
    watcher.told.clear();
    for (const id of this.options.overview.rows.keys()) watcher.due.add(id);
    this.#look();
  }

  /** Nobody looks there any more. */
  release(lease: string): void {
    this.#watchers.delete(lease);
    this.#rest();
  }

  /** An editor is gone. */
  detach(session: string): void {
    this.#forget(session);
    this.#rest();
  }

  get #looking(): Watcher[] {
    return [...this.#watchers.values()].filter(({ session }) => session !== undefined);
  }

  #look(): void {
    this.#forgetEnded();
    this.#rest();
    const looking = this.#looking;
    if (looking.length === 0) return;
    this.#cancelLook?.();
    try {
      for (const id of this.options.overview.refresh()) for (const { due } of looking) due.add(id);
      for (const watcher of looking) this.#tell(watcher);
    } catch (fault) {
      this.options.onFault(fault);
    }
    this.#cancelLook = this.options.timing.after(pauseMs, () => this.#look());
  }

  #tell(watcher: Watcher): void {
    const { session, isGreeted, told, due } = watcher;
    const { rows } = this.options.overview;
    const changes: OverviewChange[] = [];
    const gone: string[] = [];
    for (const id of due) {
      if (changes.length >= maxRowsAtOnce) break;
      due.delete(id);
      const row = rows.get(id);
      const change = row && changeOf(told.get(id), row);
      if (change) changes.push(change);
      if (row) told.set(id, row);
      else if (told.delete(id)) gone.push(id);
    }
    const isNews = !isGreeted || changes.length > 0 || gone.length > 0;
    if (!isNews || session === undefined) return;
    watcher.isGreeted = true;
    const begins = !isGreeted && { begins: true as const };
    this.options.tell(session, { changes, gone, total: rows.size, ...begins });
  }

  /** No timer waits for nobody, and nothing is kept. */
  #rest(): void {
    if (this.#looking.length > 0) return;
    this.#cancelLook?.();
    this.#cancelLook = undefined;
    this.options.overview.clear();
  }

  #forgetEnded(): void {
    const now = this.options.timing.monotonic();
    for (const [lease, { endsAt }] of this.#watchers) if (endsAt <= now) this.#watchers.delete(lease);
  }

  #forget(session: string): void {
    for (const [lease, watcher] of this.#watchers) {
      if (watcher.session === session) this.#watchers.delete(lease);
    }
  }

  #endsAt(): number {
    return this.options.timing.monotonic() + leaseMs;
  }
}
