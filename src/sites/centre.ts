import type { Publish } from './actions';
import { InstanceRegistry } from './instance-registry';
import { deadAfterMs } from './peer-registry';
import { RequestedJob } from './requested-job';
import { StartedAlerts } from './started-alerts';
import {
  type ErrorWords,
  type JobMessage,
  type ResultMessage,
  readMessage,
  receiptsFor,
  resultLastsSeconds,
  type Topic,
} from './wire';

/** Interval at which an unanswered job is published again, in milliseconds. */
const againMs = 5_000;

/** Minimum interval between two checks of all waiting jobs, in milliseconds. */
const lookMs = 50;

/** Interval at which the centre removes old answered jobs from memory, in milliseconds. */
const pruneMs = 60_000;

/** Time that the centre waits for a result after the expiry of the job, in milliseconds. */
export const graceMs = 3_000;

interface Asking {
  readonly job: JobMessage;
  readonly ttlMs: number;
  /** Whether the job is idempotent; undefined if only the site knows. */
  readonly isIdempotent?: boolean | undefined;
}

/**
 * The outcome of a job at a site. `instance` is absent if the centre, not an instance, decided the result.
 */
export interface JobOutcome {
  readonly id: string;
  readonly site: string;
  readonly result: Omit<ResultMessage, 'instance'> & { readonly instance?: string };
}

export type CentreAction =
  | (Publish & { readonly site: string })
  | ({ readonly do: 'answer' } & JobOutcome)
  /** Report a result that arrived after the `answer` of the job. */
  | ({ readonly do: 'late' } & JobOutcome);

/**
 * The centre (docs/contract.md 2.8) publishes jobs to the sites and reports their outcomes. The class sends
 * nothing: its owner carries out the returned actions. All times are milliseconds on the monotonic clock.
 */
export class Centre {
  /** Jobs by `site/id`. An answered job stays for at least `resultLastsSeconds` after its expiry. */
  readonly #requested = new Map<string, RequestedJob>();
  readonly #waiting = new Set<RequestedJob>();
  readonly #instances = new InstanceRegistry();
  readonly #started = new StartedAlerts();
  #isConnected = false;
  #actions: CentreAction[] = [];
  #connectedAt = Number.NEGATIVE_INFINITY;
  /** Earliest time at which `tick` must check a waiting job; infinite if no check is planned. */
  #dueAt = Number.POSITIVE_INFINITY;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #prunedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly options: {
      /** Returns the time in ISO 8601. */
      now(): string;
      /** Whether the jobs are signed. Only signed jobs have `eligible`. */
      readonly isSigned?: boolean;
    },
  ) {}

  get sites(): readonly string[] {
    return this.#instances.sites;
  }

  /** Returns the time at which the owner must call `tick` next; infinite if no check is planned. */
  wakeAt(now: number): number {
    return Math.max(now + 1, this.#dueAt, this.#lookedAt + lookMs);
  }

  ask(now: number, { job, ttlMs, isIdempotent }: Asking): CentreAction[] {
    const requested = new RequestedJob(job, now, now + ttlMs, isIdempotent);
    this.#wait(requested);
    this.#publish(requested, now);
    this.#dueAt = Math.min(this.#dueAt, dueAt(requested, now));
    return this.#take();
  }

  /**
   * Adds a job that an earlier run of Node-RED requested, so that the centre recognizes its result. The job
   * is not published again.
   */
  recall(now: number, job: JobMessage, leftMs: number, isIdempotent: boolean | undefined): void {
    const requested = new RequestedJob(job, now, now + leftMs, isIdempotent);
    requested.isSent = true;
    requested.stayedConnected = false;
    requested.isRecalled = true;
    this.#wait(requested);
    this.#dueAt = Math.min(this.#dueAt, dueAt(requested, now));
  }

  /**
   * Handles a new connection after all topics are subscribed: publishes the waiting jobs, and repeats
   * removals that the broker has not confirmed.
   */
  connected(now: number): CentreAction[] {
    this.#isConnected = true;
    this.#connectedAt = now;
    for (const requested of this.#waiting) this.#publish(requested, now);
    for (const requested of this.#requested.values())
      if (requested.removal === 'sent') this.#remove(requested);
    return this.#take();
  }

  disconnected(): CentreAction[] {
    this.#isConnected = false;
    for (const requested of this.#waiting) if (requested.isSent) requested.disconnected();
    return this.#take();
  }

  message(now: number, { site, kind, id }: Topic, payload: Uint8Array | string): CentreAction[] {
    if (kind === 'state') {
      const state = readMessage('state', payload);
      if (state && this.#instances.recordHeartbeat(site, state, now)) this.#introduce(site, now);
      return this.#take();
    }
    const requested = this.#requested.get(`${site}/${id}`);
    const result = kind === 'result' ? readMessage(kind, payload) : undefined;
    if (result) this.#started.record(site, result);
    if (!requested) return this.#take();
    if (payload.length === 0) {
      if (kind === 'job' && requested.removal === 'sent') {
        requested.removal = 'back';
        requested.removalConfirmedAt = now;
      }
    } else if (kind === 'claim') requested.claimed ??= readMessage('claim', payload)?.instance;
    else if (result) this.#result(requested, result, now);
    return this.#take();
  }

  /** Records that the signature check rejected a message. */
  ignored({ site, kind, id }: Topic): void {
    const requested =
      kind === 'claim' || kind === 'result' ? this.#requested.get(`${site}/${id}`) : undefined;
    if (requested) requested.isDoubted = true;
  }

  /**
   * Handles the broker's rejection of a job or of its removal.
   * @param words the broker's reason
   * @param isJob true if the broker rejected the job; false if the broker rejected the removal
   */
  refused(site: string, id: string, words: string, isJob: boolean): CentreAction[] {
    const requested = this.#requested.get(`${site}/${id}`);
    if (requested) requested.isRefused = true;
    if (isJob && requested && !requested.isAnswered && !requested.claimed) {
      const details = [words, 'check the write permissions of the centre'];
      this.#conclude(requested, 'failed', 'REFUSED', { reason: 'the broker did not accept it', details });
    }
    return this.#take();
  }

  tick(now: number): CentreAction[] {
    this.#lookedAt = now;
    this.#dueAt = Number.POSITIVE_INFINITY;
    for (const requested of this.#waiting) {
      if (now >= requested.until && requested.removal === 'no' && requested.isSent) this.#remove(requested);
      else if (now >= requested.nextAt) this.#publish(requested, now);
      if (now >= requested.until + graceMs) this.#judge(requested, now);
      else if (requested.result && this.#isWhole(requested, requested.result, now))
        this.#answer(requested, requested.result);
      else this.#dueAt = Math.min(this.#dueAt, dueAt(requested, now));
    }
    if (now >= this.#prunedAt + pruneMs) this.#prune(now);
    return this.#take();
  }

  #wait(requested: RequestedJob): void {
    this.#requested.set(keyOf(requested.job), requested);
    this.#waiting.add(requested);
  }

  #prune(now: number): void {
    this.#prunedAt = now;
    for (const [key, { until, isAnswered }] of this.#requested) {
      if (isAnswered && now > until + resultLastsSeconds * 1_000) this.#requested.delete(key);
    }
  }

  #publish(requested: RequestedJob, now: number): void {
    const { until, isAnswered, isRecalled, isRefused, isSent } = requested;
    const { id, site } = requested.job;
    requested.nextAt = now + againMs;
    // Rounds down, so that no site starts the job after `until`. If less than 1 s is left, the job is not
    // published again. Its first publication then has an expiry of 1 s, the shortest that MQTT has.
    const left = Math.floor((until - now + 1) / 1_000);
    if (!this.#isConnected || isAnswered || isRecalled || isRefused) return;
    if (now >= until || (isSent && left < 1)) return;
    if (!isSent) requested.sentAt = now;
    requested.isSent = true;
    requested.addPossibleClaimants(this.#instances.living(site, now));
    const expiry = left || 1;
    const message = requested.message(now, expiry, this.options.isSigned === true);
    this.#actions.push({ do: 'publish', kind: 'job', site, id, message, expiry });
  }

  /**
   * Adds a new instance to the instances that might claim the waiting jobs of its site. Publishes a signed job
   * again, since only the instances in its `eligible` may claim the job.
   */
  #introduce(site: string, now: number): void {
    for (const requested of this.#waiting) {
      if (requested.job.site !== site || !requested.isSent || requested.isIdempotent === true) continue;
      requested.addPossibleClaimants(this.#instances.living(site, now));
      if (this.options.isSigned) this.#publish(requested, now);
    }
  }

  /** Removes a job from the broker, so that instances that connect later do not receive the job. */
  #remove(requested: RequestedJob): void {
    requested.removal = 'sent';
    if (!this.#isConnected || requested.isRefused) return;
    const { id, site } = requested.job;
    this.#actions.push({ do: 'publish', kind: 'job', site, id });
  }

  #result(requested: RequestedJob, result: ResultMessage, now: number): void {
    const { job } = requested;
    const isNews = requested.isNews(result);
    if (requested.isAnswered) {
      if (isNews) this.#actions.push({ do: 'late', id: job.id, site: job.site, result });
      return;
    }
    const all = requested.add(result);
    if (this.#isWhole(requested, all, now)) this.#answer(requested, all);
  }

  #isWhole({ isForAll, job }: RequestedJob, result: ResultMessage, now: number): boolean {
    if (!isForAll) return true;
    const { doneBy = [] } = result;
    // Right after a connection, the instance that started the alert might not be known yet.
    if (now < this.#connectedAt + deadAfterMs && this.#started.hasRest(job, result)) return false;
    return this.#instances.living(job.site, now).every((instance) => doneBy.includes(instance));
  }

  #answer(requested: RequestedJob, result: JobOutcome['result']): void {
    const { id, site } = requested.job;
    const whole = this.#started.withRest(requested.job, result);
    requested.markAnswered();
    this.#waiting.delete(requested);
    if (requested.removal === 'no' && requested.isSent) this.#remove(requested);
    this.#actions.push({ do: 'answer', id, site, result: whole });
  }

  #judge(requested: RequestedJob, now: number): void {
    const { outcome, code, words } = requested.judge(
      this.#instances.lastHeartbeatsOf(requested.job.site),
      now - graceMs,
    );
    if (requested.result) this.#answer(requested, requested.result);
    else this.#conclude(requested, outcome, code, words);
  }

  #conclude(requested: RequestedJob, outcome: string, code: string, words: ErrorWords): void {
    const at = this.options.now();
    this.#answer(requested, { v: 2, at, receipts: receiptsFor(requested.job, outcome, code, words, at) });
  }

  #take(): CentreAction[] {
    const actions = this.#actions;
    this.#actions = [];
    return actions;
  }
}

function dueAt({ until, nextAt }: RequestedJob, now: number): number {
  return now < until ? Math.min(until, nextAt || until) : until + graceMs;
}

const keyOf = ({ site, id }: Pick<JobMessage, 'site' | 'id'>) => `${site}/${id}`;
