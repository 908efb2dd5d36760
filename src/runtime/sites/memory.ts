import { randomUUID } from 'node:crypto';
import { apartMs } from '../../sites/signing';
import { isMessage, type ResultMessage } from '../../sites/wire';
import type { Json } from '../journal/lines';
import type { Keeping } from '../journal/of-node-red';
import { understood } from '../journal/understood';

/**
 * So much longer than its time what was done of a job is kept, in milliseconds: a signed job counts until an hour after
 * its time, by clocks that may be an hour apart.
 */
const longerMs = 2 * apartMs;

/** What is too old is looked for so often at most, in milliseconds. */
const pruneMs = 60_000;

interface Kept {
  /** Epoch milliseconds. */
  readonly until: number;
  readonly result: ResultMessage | null;
}

/** What a site's instance has begun, over its lives: kept in the journal until its time is over. */
export class Memory {
  readonly #until = new Map<string, number>();
  #prunedAt = Number.NEGATIVE_INFINITY;

  /** @param topic the site's, so that each has its own */
  constructor(
    private readonly journal: Keeping,
    private readonly topic: string,
  ) {}

  /** The same at each start of a node. */
  placeOf(nodeId: string): string {
    const key = `place/${nodeId}`;
    const isPlace = (value: Json) => (typeof value === 'string' && value !== '' ? value : undefined);
    const known = understood(this.journal, key, isPlace).find(([found]) => found === key);
    if (known) return known[1];
    const place = randomUUID();
    void this.journal.put(key, place);
    return place;
  }

  /** What earlier lives have begun; what is too old is forgotten. */
  recall(): [id: string, result: ResultMessage | null][] {
    const found: [string, ResultMessage | null][] = [];
    for (const [key, { until, result }] of understood(this.journal, this.#prefix, keptIn)) {
      const id = key.slice(this.#prefix.length);
      this.#until.set(id, until);
      found.push([id, result]);
    }
    this.prune();
    return found.filter(([id]) => this.#until.has(id));
  }

  /** @returns when it is written through */
  put(id: string, leftMs: number, result: ResultMessage | null): Promise<void> {
    const until = this.#until.get(id) ?? Date.now() + leftMs + longerMs;
    this.#until.set(id, until);
    return this.journal.put(`${this.#prefix}${id}`, { until, result: result as unknown as Json });
  }

  /** Costs nothing most of the times, since it comes with every job. */
  prune(): void {
    if (performance.now() < this.#prunedAt + pruneMs) return;
    this.#prunedAt = performance.now();
    const now = Date.now();
    for (const [id, until] of this.#until) {
      if (now <= until) continue;
      this.#until.delete(id);
      void this.journal.delete(`${this.#prefix}${id}`);
    }
  }

  get #prefix(): string {
    return `site/${this.topic}/`;
  }
}

/** What is kept in the journal; undefined for anything else. */
function keptIn(value: Json): Kept | undefined {
  const kept = value as unknown as Kept | null;
  if (!kept || !Number.isFinite(kept.until)) return undefined;
  return kept.result === null || isMessage('result', kept.result) ? kept : undefined;
}
