import { randomUUID } from 'node:crypto';
import { either, number, oneOf, open, reader, type Shape } from '../../kernel/shape';
import { apartMs } from '../../sites/signing';
import { isMessage, type ResultMessage } from '../../sites/wire';
import type { Json } from '../journal/lines';
import { readEntries } from '../journal/read-entries';
import type { SharedJournal } from '../journal/shared-journal';

/**
 * Time for which a job is stored after its expiry, in milliseconds: a signed job is accepted until an hour
 * after its expiry, and clocks can differ by an hour.
 */
const longerMs = 2 * apartMs;

const pruneMs = 60_000;

/**
 * A store of the jobs that an instance has started, which survives restarts. The journal stores each job for
 * a limited time.
 */
export class JobStore {
  readonly #until = new Map<string, number>();
  #prunedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly journal: SharedJournal,
    private readonly topic: string,
  ) {}

  /**
   * Returns the id of a node in MQTT messages, which stays the same after restarts. Creates the id on the
   * first call.
   */
  wireIdOf(nodeId: string): string {
    const key = `node/${nodeId}`;
    const isId = (value: Json) => (typeof value === 'string' && value !== '' ? value : undefined);
    const known = readEntries(this.journal, key, isId).find(([found]) => found === key);
    if (known) return known[1];
    const id = randomUUID();
    void this.journal.put(key, id);
    return id;
  }

  loadJobs(): [id: string, result: ResultMessage | null][] {
    const found: [string, ResultMessage | null][] = [];
    for (const [key, { until, result }] of readEntries(this.journal, this.#prefix, persistedIn)) {
      const id = key.slice(this.#prefix.length);
      this.#until.set(id, until);
      found.push([id, result]);
    }
    this.prune();
    return found.filter(([id]) => this.#until.has(id));
  }

  /**
   * Stores a job and its result; null for an unknown result.
   * @returns a promise that resolves when the entry is on disk or its write has failed
   */
  put(id: string, leftMs: number, result: ResultMessage | null): Promise<void> {
    const until = this.#until.get(id) ?? Date.now() + leftMs + longerMs;
    this.#until.set(id, until);
    return this.journal.put(`${this.#prefix}${id}`, { until, result: result as unknown as Json });
  }

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

const result: Shape<ResultMessage> = (value): value is ResultMessage => isMessage('result', value);
const persistedIn = reader(open({ until: number(), result: either(result, oneOf(null)) }));
