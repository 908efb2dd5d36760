import { randomBytes } from 'node:crypto';
import type { Clock } from '../../kernel/time/clock';
import type { OverviewChange, OverviewNews, OverviewRow } from '../answers';
import type { Overview } from './overview';
import { changeOf } from './rows';

/**
 * Time from the last renewal of a lease to its end, in milliseconds. After the end, the sidebar gets no
 * more updates.
 */
const leaseMs = 30_000;
const pauseMs = 500;
const maxRowsAtOnce = 2_000;
const maxLeases = 500;

interface Watcher {
  endsAt: number;
  /** Id of the editor's connection to Node-RED; undefined until the editor has attached the lease. */
  session: string | undefined;
  isGreeted: boolean;
  readonly sent: Map<string, OverviewRow>;
  readonly due: Set<string>;
}

interface WatchersOptions {
  readonly overview: Pick<Overview, 'rows' | 'refresh' | 'clear'>;
  readonly timing: Pick<Clock, 'monotonic' | 'after'>;
  readonly notify: (session: string, news: OverviewNews) => void;
  readonly onFault: (fault: unknown) => void;
}

export class Watchers {
  readonly #watchers = new Map<string, Watcher>();
  #cancelLook: (() => void) | undefined;

  constructor(private readonly options: WatchersOptions) {}

  /** @param lease the last lease of the sidebar; any other value for a new lease */
  lease(lease: unknown): string {
    this.#forgetEnded();
    const known = typeof lease === 'string' ? lease : '';
    const watcher = this.#watchers.get(known);
    if (watcher) {
      watcher.endsAt = this.#endsAt();
      return known;
    }
    // Removes the oldest lease if there are `maxLeases`. If the sidebar of this lease is still open, the
    // sidebar requests a new lease.
    const [oldest] = this.#watchers.keys();
    if (oldest !== undefined && this.#watchers.size >= maxLeases) this.#watchers.delete(oldest);
    const given = randomBytes(18).toString('base64url');
    this.#watchers.set(given, {
      endsAt: this.#endsAt(),
      session: undefined,
      isGreeted: false,
      sent: new Map(),
      due: new Set(),
    });
    return given;
  }

  attach(lease: string, session: string): void {
    const watcher = this.#watchers.get(lease);
    if (!watcher || watcher.session === session) return;
    // An editor has only one sidebar, so the earlier lease of the editor ends.
    this.#forget(session);
    watcher.session = session;
    watcher.isGreeted = false;
    watcher.sent.clear();
    for (const id of this.options.overview.rows.keys()) watcher.due.add(id);
    this.#look();
  }

  release(lease: string): void {
    this.#watchers.delete(lease);
    this.#rest();
  }

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
      for (const watcher of looking) this.#notify(watcher);
    } catch (fault) {
      this.options.onFault(fault);
    }
    this.#cancelLook = this.options.timing.after(pauseMs, () => this.#look());
  }

  #notify(watcher: Watcher): void {
    const { session, isGreeted, sent, due } = watcher;
    const { rows } = this.options.overview;
    const changes: OverviewChange[] = [];
    const removed: string[] = [];
    for (const id of due) {
      if (changes.length >= maxRowsAtOnce) break;
      due.delete(id);
      const row = rows.get(id);
      const change = row && changeOf(sent.get(id), row);
      if (change) changes.push(change);
      if (row) sent.set(id, row);
      else if (sent.delete(id)) removed.push(id);
    }
    const isNews = !isGreeted || changes.length > 0 || removed.length > 0;
    if (!isNews || session === undefined) return;
    watcher.isGreeted = true;
    const begins = !isGreeted && { begins: true as const };
    this.options.notify(session, { changes, removed, total: rows.size, ...begins });
  }

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
