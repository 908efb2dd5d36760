import { randomUUID } from 'node:crypto';
import { DurableMap } from '../../kernel/durable-map';
import type { SharedJournal } from '../../kernel/journal/journal';
import type { Json } from '../../kernel/journal/lines';
import { readEntries } from '../../kernel/journal/read-entries';
import { either, number, oneOf, open, type Shape } from '../../kernel/shape';
import { apartMs } from '../../sites/signing';
import { isMessage, type ResultMessage } from '../../sites/wire';

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
  readonly #jobs: DurableMap<{ readonly until: number; readonly result: ResultMessage | null }>;
  #prunedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly journal: SharedJournal,
    topic: string,
  ) {
    this.#jobs = new DurableMap(journal, `site/${topic}/`, persistedJob);
  }

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
    this.prune();
    return this.#jobs.entries.map(([id, { result }]) => [id, result]);
  }

  /**
   * Stores a job and its result; null for an unknown result.
   * @returns a promise that resolves when the entry is on disk or its write has failed
   */
  put(id: string, leftMs: number, result: ResultMessage | null): Promise<void> {
    const until = this.#jobs.get(id)?.until ?? Date.now() + leftMs + longerMs;
    return this.#jobs.set(id, { until, result });
  }

  prune(): void {
    if (performance.now() < this.#prunedAt + pruneMs) return;
    this.#prunedAt = performance.now();
    const now = Date.now();
    for (const [id, { until }] of this.#jobs.entries) if (now > until) void this.#jobs.delete(id);
  }
}

const result: Shape<ResultMessage> = (value): value is ResultMessage => isMessage('result', value);
/** `until` is the time at which the entry can be removed, in epoch milliseconds. */
const persistedJob = open({ until: number(), result: either(result, oneOf(null)) });
