import { randomUUID } from 'node:crypto';
import { DurableMap } from '../../kernel/durable-map';
import type { SharedJournal } from '../../kernel/journal/journal';
import { count, either, flag, number, type Of, oneOf, open, type Shape, text } from '../../kernel/shape';
import type { Centre } from '../../sites/centre';
import { withoutParameters } from '../../sites/requested-job';
import { apartMs } from '../../sites/signing';
import { isMessage, type JobMessage, type ResultMessage } from '../../sites/wire';
import { journalOf } from '../journal/shared-journal';
import { PerNodeRed } from '../per-node-red';

/**
 * Time for which a job is stored after its expiry, in milliseconds: a signed job is accepted until an hour
 * after its expiry, and clocks can differ by an hour.
 */
const longerMs = 2 * apartMs;

const pruneMs = 60_000;

const result: Shape<ResultMessage> = (value): value is ResultMessage => isMessage('result', value);

/** `until` is the time at which the entry can be removed, in epoch milliseconds. */
const persistedJob = open({ until: number(), result: either(result, oneOf(null)) });

/**
 * A store of the jobs that an instance has started, which survives restarts. The journal stores each job for
 * a limited time.
 */
export class JobStore {
  readonly #jobs: DurableMap<Of<typeof persistedJob>>;
  #prunedAt = Number.NEGATIVE_INFINITY;

  constructor(journal: SharedJournal, topic: string) {
    this.#jobs = new DurableMap(journal, `site/${topic}/`, persistedJob);
    this.prune();
  }

  get results(): [id: string, result: ResultMessage | null][] {
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

/** Returns the id of a node in MQTT messages, which stays the same after restarts. */
export function wireIdOf(journal: SharedJournal, nodeId: string): string {
  const ids = new DurableMap(journal, 'node/', text({ least: 1 }));
  const id = ids.get(nodeId) ?? randomUUID();
  if (!ids.has(nodeId)) void ids.set(nodeId, id);
  return id;
}

/** Time after the expiry of a job for which its result is expected, in milliseconds. */
const lastsMs = 3_600_000;

const job: Shape<JobMessage> = (value): value is JobMessage => isMessage('job', value);

/** A job without the parameters of its operation, which the centre no longer needs; `until` is in epoch milliseconds. */
const pendingJob = open({ job, until: number() }, { isIdempotent: flag });

/**
 * A store of the unanswered jobs of one node, so that the centre can still receive their results after a
 * deploy or a restart.
 */
export class PendingJobs {
  readonly #jobs: DurableMap<Of<typeof pendingJob>>;

  constructor(journal: SharedJournal, nodeId: string) {
    this.#jobs = new DurableMap(journal, `asked/${nodeId}/`, pendingJob);
  }

  recallTo(centre: Centre): void {
    for (const [key, { job, isIdempotent, until }] of this.#jobs.entries) {
      const leftMs = until - Date.now();
      if (leftMs < -lastsMs) void this.#jobs.delete(key);
      else centre.recall(performance.now(), job, Math.max(0, leftMs), isIdempotent);
    }
  }

  /**
   * Stores the jobs of a request before they are published.
   * @returns a promise that resolves when the jobs are on disk, their write has failed or a second is over
   */
  put(jobs: readonly JobMessage[], ttlMs: number, isIdempotent: boolean | undefined): Promise<void> {
    const until = Date.now() + ttlMs;
    return this.#jobs.batch(() => {
      for (const job of jobs)
        void this.#jobs.set(keyOf(job), { job: withoutParameters(job), isIdempotent, until });
    });
  }

  delete(job: Pick<JobMessage, 'id' | 'site'>): void {
    void this.#jobs.delete(keyOf(job));
  }
}

const keyOf = ({ id, site }: Pick<JobMessage, 'id' | 'site'>) => `${id}/${site}`;

/**
 * Number that is added to the last stored request number after a restart, so that no number repeats. The
 * journal normally lacks only the last few numbers.
 */
const restartGap = 10_000;

const sequence = open({ centre: text(), last: count });

/**
 * The order of the requests of all `algo-remote` nodes in one Node-RED. All these nodes together are one centre, which
 * stays the same after a restart.
 */
export class CentreOrder {
  readonly #orders: DurableMap<Of<typeof sequence>>;
  readonly #centre: string;
  #last: number;

  constructor(journal: SharedJournal) {
    this.#orders = new DurableMap(journal, 'centre/', sequence);
    const { centre, last } = this.#orders.get('order') ?? { centre: randomUUID(), last: -restartGap };
    this.#centre = centre;
    this.#last = last + restartGap;
  }

  /**
   * Returns the centre's next request number. The numbers rise even if the clock was set back or the journal
   * was lost.
   */
  next(): { readonly centre: string; readonly seq: number } {
    this.#last = Math.max(this.#last + 1, Date.now());
    // Does not wait for the write: a restart skips more numbers than the journal normally lacks.
    void this.#orders.set('order', { centre: this.#centre, last: this.#last });
    return { centre: this.#centre, seq: this.#last };
  }
}

export const centreOrders = new PerNodeRed((RED) => new CentreOrder(journalOf(RED)));
