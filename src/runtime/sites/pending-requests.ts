import { DurableMap } from '../../kernel/durable-map';
import type { SharedJournal } from '../../kernel/journal/journal';
import { flag, list, number, open, type Shape } from '../../kernel/shape';
import type { Centre } from '../../sites/centre';
import { isMessage, type JobMessage } from '../../sites/wire';

/** Time after the expiry of a job for which its result is expected, in milliseconds. */
const lastsMs = 3_600_000;

interface PersistedRequests {
  /** The jobs of the request, without the parameters of operations, which the centre no longer needs. */
  readonly jobs: readonly JobMessage[];
  readonly isIdempotent?: boolean | undefined;
  /** Expiry of the jobs, in epoch milliseconds. */
  readonly until: number;
}

/**
 * A store of the unanswered requests of one node, so that the centre can still receive their results after a
 * deploy or a restart.
 */
export class PendingRequests {
  readonly #requests: DurableMap<PersistedRequests>;
  readonly #left = new Map<string, Set<string>>();

  constructor(journal: SharedJournal, nodeId: string) {
    this.#requests = new DurableMap(journal, `asked/${nodeId}/`, persistedRequests);
  }

  recallTo(centre: Centre): void {
    for (const [id, { jobs, isIdempotent, until }] of this.#requests.entries) {
      const leftMs = until - Date.now();
      if (leftMs < -lastsMs) {
        void this.#requests.delete(id);
        continue;
      }
      this.#record(id, jobs);
      for (const job of jobs) centre.recall(performance.now(), job, Math.max(0, leftMs), isIdempotent);
    }
  }

  /**
   * Stores a request before its jobs are published.
   * @returns a promise that resolves when the request is on disk, its write has failed or a second is over
   */
  put(jobs: readonly JobMessage[], ttlMs: number, isIdempotent: boolean | undefined): Promise<void> {
    const id = jobs[0]?.id ?? '';
    this.#record(id, jobs);
    const light = jobs.map((job) =>
      'alert' in job.command ? job : { ...job, command: { ...job.command, parameters: {} } },
    );
    return this.#requests.set(id, { jobs: light, isIdempotent, until: Date.now() + ttlMs });
  }

  delete(id: string, site: string): void {
    const left = this.#left.get(id);
    if (!left?.delete(site) || left.size > 0) return;
    this.#left.delete(id);
    void this.#requests.delete(id);
  }

  #record(id: string, jobs: readonly JobMessage[]): void {
    this.#left.set(id, new Set(jobs.map(({ site }) => site)));
  }
}

const job: Shape<JobMessage> = (value): value is JobMessage => isMessage('job', value);
const persistedRequests = open({ jobs: list(job), until: number() }, { isIdempotent: flag });
