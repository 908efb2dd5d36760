import { JobState } from './job-state';
import { covers, Order } from './order';
import type { Outbox } from './outbox';
import { type Asked, isAfter } from './starts';
import { type JobMessage, resultLastsSeconds } from './wire';

/** So long jobs that have ended are remembered, in milliseconds. */
const memoryMs = 60_000;

/** The maximum number of jobs that never came whose claims and results are remembered: no site has more in an hour. */
const maxUnknownJobs = 20_000;

/** So long after its time it may still come out what became of a job, in milliseconds. */
export const graceMs = 3_000;

/** What has less time left, in milliseconds, does not wait for what has none: it would not be done at all. */
const lastMs = 1_000;

/** The jobs that one instance knows, and how far they are. */
export class Jobs {
  readonly #entries = new Map<string, JobState>();
  /** The starts of each alert: every all-clear that waits asks for those of its own alert at each turn. */
  readonly #starts = new Map<string, Set<JobState>>();
  /** How many since it was last seen to that they are not too many. */
  #made = 0;
  /** Jobs that wait for their turn among the instances, for a device's turn or for the echo of their claim. */
  readonly open = new Set<JobState>();
  /** Jobs that are answered, and whose claim is still on the broker. */
  readonly claimed = new Set<JobState>();

  readonly order = new Order();

  constructor(private readonly outbox: Outbox) {}

  get all(): Iterable<JobState> {
    return this.#entries.values();
  }

  get count(): number {
    return this.#entries.size;
  }

  find(id: string): JobState | undefined {
    return this.#entries.get(id);
  }

  /** Found, or made. */
  at(id: string, now: number): JobState {
    const entry = this.#entries.get(id) ?? this.#make(id, now);
    entry.touchedAt = now;
    return entry;
  }

  #make(id: string, now: number): JobState {
    const entry = new JobState(id, now);
    this.#entries.set(id, entry);
    this.#made += 1;
    if (this.#made >= maxUnknownJobs) this.#forgetUnknownJobs();
    return entry;
  }

  give(entry: JobState, job: JobMessage): void {
    entry.job = job;
    const alert = alertStartedBy(job);
    if (alert === undefined) return;
    const starts = this.#starts.get(alert) ?? new Set();
    this.#starts.set(alert, starts.add(entry));
  }

  /** Someone floods the broker: what came first of it goes first. Looked for seldom, since all are looked through. */
  #forgetUnknownJobs(): void {
    const unknownJobs = [...this.#entries.values()].filter(({ job }) => !job);
    const surplus = unknownJobs.slice(0, Math.max(0, unknownJobs.length - maxUnknownJobs / 2));
    for (const entry of surplus) this.#forget(entry);
    this.#made = maxUnknownJobs / 2;
  }

  begin(entry: JobState, now: number): void {
    if (!entry.job) return;
    this.order.note(entry);
    entry.phase = 'begun';
    this.outbox.say({
      do: 'begin',
      id: entry.id,
      job: entry.job,
      leftMs: entry.until - now,
      agoMs: now - entry.askedAt,
    });
  }

  /** What was asked after it goes before it. */
  supersede(entry: JobState, now: number, isConnected: boolean): void {
    if (!entry.job) return;
    if (entry.isRevocable) this.outbox.say({ do: 'drop', id: entry.id });
    this.outbox.superseded(entry, entry.job);
    this.answered(entry, now, isConnected);
  }

  /**
   * Whether what was asked earlier lets it begin.
   * @param isOwner whether it is this instance that would do what was asked earlier
   * @returns the earlier starts that it takes out; undefined where it has to wait
   */
  takenOutBy(
    entry: JobState,
    now: number,
    isOwner: (earlier: JobState) => boolean,
  ): readonly JobState[] | undefined {
    const isHurried = now >= entry.until - lastMs;
    const earlier = this.order.before(entry, ({ until }) => now < until || !isHurried);
    const mustWait = (one: JobState) => !covers(entry, one) || one.phase === 'claiming';
    if (earlier.some(mustWait)) return undefined;
    const takes = earlier.filter(isOwner);
    // Each instance clears what it has started itself: it does not wait for what is another one's.
    return takes.length === earlier.length || entry.isForAll ? takes : undefined;
  }

  /** It may be written. */
  admit(entry: JobState): void {
    this.end(entry, 'admitted');
    this.outbox.say({ do: 'admit', id: entry.id, isSafe: entry.isSafe });
  }

  /** Back to where it waits for its turn among the instances. */
  takeBack(entry: JobState): void {
    entry.phase = 'waiting';
    entry.isTakenOut = false;
    this.open.add(entry);
    this.outbox.say({ do: 'drop', id: entry.id });
  }

  /** There is something to do after all. */
  reopen(entry: JobState): void {
    entry.phase = 'waiting';
    this.open.add(entry);
    this.order.add(entry);
  }

  /**
   * Starts of an alert that were asked for after something else, and of which nobody has said yet what became of
   * them.
   */
  laterStarts(alert: string, than: Asked, now: number): readonly JobState[] {
    return [...(this.#starts.get(alert) ?? [])].filter(({ job, result, until, askedAt }) => {
      if (!job || result || now >= until + graceMs) return false;
      return isAfter({ at: askedAt, centre: job.centre, seq: job.seq }, than);
    });
  }

  /** Nothing is left to do, for now. */
  end(entry: JobState, phase: 'ended' | 'late' | 'admitted' = 'ended'): void {
    if (phase !== 'admitted' && entry.isRevocable) this.outbox.say({ do: 'drop', id: entry.id });
    entry.phase = phase;
    this.open.delete(entry);
    this.order.remove(entry);
  }

  /** Answered, by whomever of this instance. */
  answered(entry: JobState, now: number, isConnected: boolean): void {
    entry.phase = 'ended';
    this.open.delete(entry);
    this.order.remove(entry);
    entry.touchedAt = now;
    if (isConnected) this.outbox.result(entry, now);
  }

  /**
   * What was seen of a broker counts for one connection.
   * @param self this instance: whether its claims were the first has to be found out anew
   */
  reconnect(self: string): void {
    for (const entry of this.#entries.values()) {
      entry.lastClaim = undefined;
      entry.isHeld = false;
      entry.isAnswered = false;
      entry.isPassed = false;
      if (!entry.isSafe && entry.phase !== 'admitted') entry.forgetClaim(self);
      if (entry.isRevocable) this.takeBack(entry);
    }
  }

  /** Whether an answer is to be said again, where the broker has lost it. */
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

function alertStartedBy({ work }: JobMessage): string | undefined {
  return 'alert' in work && work.action === 'start' ? work.alert : undefined;
}
