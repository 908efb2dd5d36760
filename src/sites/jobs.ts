import { JobState } from './job-state';
import { isAfter, type RequestTime } from './last-starts';
import { mergeResults } from './merge-results';
import { covers, isDrill, Order } from './order';
import type { Outbox } from './outbox';
import { type JobMessage, type ResultMessage, resultLastsSeconds } from './wire';

/**
 * Time for which ended and late jobs stay in memory after their expiry or their last message, whichever is
 * later, in milliseconds.
 */
const memoryMs = 60_000;

/**
 * Maximum number of jobs that are known only from a claim or a result. At this number, the older half is
 * removed.
 */
const maxUnknownJobs = 20_000;

/**
 * Maximum total size of the results of clears whose job is not known, in characters of JSON: every client
 * that may write to the broker can send such results. Above this size, the oldest of these jobs are removed.
 */
export const maxUnknownLength = 4 * 1024 * 1024;

/** Time after the expiry of a job in which its outcome can still arrive, in milliseconds. */
export const graceMs = 3_000;

/**
 * Length of the last period before the expiry of a job, in milliseconds. In this period, the job no longer
 * waits for earlier jobs that have expired.
 */
const lastMs = 1_000;

export class Jobs {
  readonly #entries = new Map<string, JobState>();
  /** The jobs that start an alert, by alert. */
  readonly #starts = new Map<string, Set<JobState>>();
  /**
   * Upper bound of the number of entries without `job`. The entries are counted only when this bound reaches
   * `maxUnknownJobs`.
   */
  #unknownJobsBound = 0;
  #unknownLength = 0;
  /** Received jobs in the phases `waiting`, `begun` and `claiming`. */
  readonly open = new Set<JobState>();
  /** Answered jobs whose claim the broker still stores. */
  readonly claimed = new Set<JobState>();

  readonly order = new Order();

  constructor(
    private readonly outbox: Outbox,
    private readonly isEarnest: (alert: string) => boolean = () => false,
  ) {}

  get all(): Iterable<JobState> {
    return this.#entries.values();
  }

  get count(): number {
    return this.#entries.size;
  }

  find(id: string): JobState | undefined {
    return this.#entries.get(id);
  }

  at(id: string, now: number): JobState {
    const entry = this.#entries.get(id) ?? this.#make(id, now);
    entry.touchedAt = now;
    return entry;
  }

  #make(id: string, now: number): JobState {
    const entry = new JobState(id, now);
    this.#entries.set(id, entry);
    this.#unknownJobsBound += 1;
    if (this.#unknownJobsBound >= maxUnknownJobs) this.#forgetUnknownJobs();
    return entry;
  }

  setJob(entry: JobState, job: JobMessage): void {
    entry.job = job;
    this.#countUnknown(entry, 0);
    const alert = alertStartedBy(job);
    if (alert === undefined) return;
    const starts = this.#starts.get(alert) ?? new Set();
    this.#starts.set(alert, starts.add(entry));
  }

  #forgetUnknownJobs(): void {
    const unknownJobs = [...this.#entries.values()].filter(({ job }) => !job);
    const surplus = unknownJobs.slice(0, Math.max(0, unknownJobs.length - maxUnknownJobs / 2));
    for (const entry of surplus) this.#forget(entry);
    this.#unknownJobsBound = maxUnknownJobs / 2;
  }

  /**
   * Stores a result of a job. The receipts are stored only for a clear, since only the results of a clear are
   * merged with later results.
   */
  setResult(entry: JobState, result: ResultMessage): void {
    const { v, instance, at, doneBy } = result;
    entry.result = doneBy ? mergeResults(entry.result, result) : { v, instance, at, receipts: [] };
    if (entry.job) return;
    // Counts the size of the merged result, since a broker can deliver the same result many times.
    this.#countUnknown(entry, doneBy ? JSON.stringify(entry.result).length : 0);
    for (const other of this.#entries.values()) {
      if (this.#unknownLength <= maxUnknownLength) break;
      if (other.unknownLength > 0 && other !== entry) this.#forget(other);
    }
  }

  #countUnknown(entry: JobState, length: number): void {
    this.#unknownLength += length - entry.unknownLength;
    entry.unknownLength = length;
  }

  begin(entry: JobState, now: number): void {
    if (!entry.job) return;
    this.order.record(entry);
    entry.phase = 'begun';
    this.outbox.add({
      do: 'begin',
      id: entry.id,
      job: entry.job,
      leftMs: entry.until - now,
      agoMs: now - entry.askedAt,
    });
  }

  supersede(entry: JobState, now: number, isConnected: boolean): void {
    if (!entry.job) return;
    if (entry.isRevocable) this.outbox.add({ do: 'drop', id: entry.id });
    this.outbox.answerSuperseded(entry, entry.job);
    this.answered(entry, now, isConnected);
  }

  /**
   * Checks whether earlier jobs allow a job to start.
   * @param isOwner whether this instance may do an earlier job
   * @returns the earlier starts that the job supersedes; undefined if the job must wait
   */
  startsSupersededBy(
    entry: JobState,
    now: number,
    isOwner: (earlier: JobState) => boolean,
  ): readonly JobState[] | undefined {
    const isHurried = now >= entry.until - lastMs;
    const earlier = this.order.before(entry, ({ until }) => now < until || !isHurried);
    const mustWait = (one: JobState) => !covers(entry, one) || one.phase === 'claiming';
    if (earlier.some(mustWait)) return undefined;
    const superseded = earlier.filter(isOwner);
    // A clear does not wait for the jobs of other instances, since each instance clears its own starts.
    return superseded.length === earlier.length || entry.isForAll ? superseded : undefined;
  }

  admit(entry: JobState): void {
    this.end(entry, 'admitted');
    this.outbox.add({ do: 'admit', id: entry.id, isIdempotent: entry.isIdempotent });
  }

  /** Removes a job from the queues of its devices. The job then waits again. */
  takeBack(entry: JobState): void {
    entry.phase = 'waiting';
    entry.isSuperseded = false;
    this.open.add(entry);
    this.outbox.add({ do: 'drop', id: entry.id });
  }

  reopen(entry: JobState): void {
    entry.phase = 'waiting';
    this.open.add(entry);
    this.order.add(entry);
  }

  /**
   * Returns the starts of an alert that were requested later than `than` and whose result can still arrive.
   * If the alert is on in earnest, leaves out the starts of drills.
   */
  laterStarts(alert: string, than: RequestTime, now: number): readonly JobState[] {
    const isEarnest = this.isEarnest(alert);
    return [...(this.#starts.get(alert) ?? [])].filter(({ job, result, until, askedAt }) => {
      if (!job || result || now >= until + graceMs || (isEarnest && isDrill(job.command))) return false;
      return isAfter({ at: askedAt, centre: job.centre, seq: job.seq }, than);
    });
  }

  end(entry: JobState, phase: 'ended' | 'late' | 'admitted' = 'ended'): void {
    if (phase !== 'admitted' && entry.isRevocable) this.outbox.add({ do: 'drop', id: entry.id });
    entry.phase = phase;
    this.open.delete(entry);
    this.order.remove(entry);
    if (phase === 'late') this.order.recordExpired(entry);
  }

  /** Ends a job for which this instance has a result, and publishes the result if connected. */
  answered(entry: JobState, now: number, isConnected: boolean): void {
    entry.phase = 'ended';
    this.open.delete(entry);
    this.order.remove(entry);
    entry.touchedAt = now;
    if (isConnected) this.outbox.result(entry, now);
  }

  /** Removes all jobs without a sent request from the queues of their devices. */
  takeBackAll(): void {
    for (const entry of this.open) if (entry.isRevocable) this.takeBack(entry);
  }

  /**
   * Resets the knowledge about the broker, which is valid for one connection only.
   * @param self the id of this instance, whose claims must be verified again
   */
  forgetBroker(self: string): void {
    for (const entry of this.#entries.values()) {
      entry.lastClaim = undefined;
      entry.isOnBroker = false;
      entry.isAnswered = false;
      entry.hasNoEcho = false;
      if (!entry.isIdempotent && entry.phase !== 'admitted') entry.forgetClaim(self);
    }
  }

  /**
   * Whether the result of this instance is recent enough to be published again if the broker lost the result.
   */
  isFresh({ own, until }: JobState, now: number): boolean {
    return own !== undefined && now < until + memoryMs;
  }

  prune(now: number): void {
    for (const entry of this.#entries.values()) {
      const isOver = entry.phase === 'ended' || entry.phase === 'late' || !entry.job;
      const keptMs = entry.job ? memoryMs : resultLastsSeconds * 1_000;
      const until = entry.job ? Math.max(entry.until, entry.touchedAt) : entry.touchedAt;
      if (isOver && now > until + keptMs) this.#forget(entry);
    }
  }

  #forget(entry: JobState): void {
    this.#countUnknown(entry, 0);
    this.#entries.delete(entry.id);
    this.claimed.delete(entry);
    this.order.remove(entry);
    const alert = entry.job && alertStartedBy(entry.job);
    if (alert === undefined) return;
    const starts = this.#starts.get(alert);
    starts?.delete(entry);
    if (starts?.size === 0) this.#starts.delete(alert);
  }
}

function alertStartedBy({ command }: JobMessage): string | undefined {
  return 'alert' in command && command.action === 'start' ? command.alert : undefined;
}
