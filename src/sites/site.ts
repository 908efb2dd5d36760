import type { Incoming, SiteAction, SiteOptions } from './actions';
import { ClaimElection, type Connection } from './claim-election';
import type { JobState } from './job-state';
import { Jobs } from './jobs';
import { LastStarts } from './last-starts';
import { Outbox } from './outbox';
import { heartbeatMs, PeerRegistry } from './peer-registry';
import {
  type ClaimMessage,
  clearLastsSeconds,
  type JobMessage,
  type ResultMessage,
  readMessage,
  resultLastsSeconds,
  type StateMessage,
  type WireReceipt,
} from './wire';

/** Interval of `tick` while no jobs are open, in milliseconds. */
const idleMs = 500;

/** Minimum delay of a call of `tick` that counts as a stall of the process, in milliseconds. */
const lateMs = 500;

/**
 * Detects that this process was frozen or busy. A message that is read after a stall can be as old as the
 * stall.
 */
class StallDetector {
  /**
   * Maximum age of received messages because of the last stall, in milliseconds; 0 after all old messages
   * were read.
   */
  staleMs = 0;

  /** @param aliveAt a time at which the process was running, in milliseconds on the monotonic clock */
  constructor(private aliveAt: number) {}

  look(now: number): void {
    this.aliveAt = now;
  }

  /** @returns minimum duration of a stall that has just ended, in milliseconds; 0 if there was none */
  since(now: number): number {
    const ms = now - this.aliveAt - idleMs;
    if (ms < lateMs) return 0;
    this.aliveAt = now;
    this.staleMs = ms + idleMs;
    return ms;
  }
}

/** Delay of the start of a job for each step of the instance's rank, in milliseconds. */
const rankMs = 100;

const maxAlerts = 10_000;

/** Interval of `tick` while jobs are open, in milliseconds. */
const lookMs = 50;

/**
 * One instance of a site (docs/contract.md 2.8): the instances share the jobs, and do a job that is not
 * idempotent at most once. The class neither sends nor waits: its owner reports events and carries out the
 * returned actions. All times are in milliseconds on the monotonic clock.
 */
export class Site {
  readonly peers: PeerRegistry;
  readonly #outbox: Outbox;
  readonly #jobs: Jobs;
  readonly #remembered: ReadonlyMap<string, ResultMessage | null>;
  readonly #connection: Connection = {
    number: 0,
    isSubscribing: false,
    isOpen: false,
    isReady: false,
    isRetired: false,
  };
  readonly #elections: ClaimElection;
  /** Number of the heartbeat whose echo shows that all earlier messages have arrived. */
  #syncsAt = Number.POSITIVE_INFINITY;
  readonly #standstill: StallDetector;
  /**
   * The last clear of each alert according to the received results, separately for drills: the id of its job,
   * and the time of the result in milliseconds on the monotonic clock.
   */
  readonly #lastClears = new Map<string, { readonly id: string; readonly at: number }>();

  readonly #starts: LastStarts;
  /**
   * Clears that this instance missed while it was offline. Such a clear waits while `laterStarts` finds a
   * start of its alert.
   */
  readonly #lateClears = new Map<
    string,
    { clear: Extract<SiteAction, { do: 'clear' }>; receivedAt: number }
  >();

  constructor(private readonly options: SiteOptions) {
    this.peers = new PeerRegistry(options);
    this.#outbox = new Outbox(options);
    const isEarnest = (alert: string) => options.isEarnest?.(alert) === true;
    this.#jobs = new Jobs(this.#outbox, isEarnest);
    this.#starts = new LastStarts(isEarnest);
    this.#remembered = new Map(options.remembered ?? []);
    this.#standstill = new StallDetector(options.startedAt);
    const { instance } = options;
    this.#elections = new ClaimElection(
      instance,
      this.#connection,
      this.#jobs,
      this.peers,
      this.#outbox,
      this.#starts,
    );
  }

  /** Whether the broker works for this instance: the instance's heartbeats come back. */
  get isReady(): boolean {
    return this.#connection.isReady;
  }

  wakeAt(now: number): number {
    const lookAt = now + (this.#jobs.open.size > 0 ? lookMs : idleMs);
    return Math.max(now + 1, Math.min(lookAt, this.#outbox.nextHeartbeatAt, this.peers.nextDeath(now)));
  }

  /**
   * Handles a new connection before its topics are subscribed. A broker can deliver retained messages before
   * it answers the subscription, so everything that is known of the broker must be reset before.
   */
  subscribing(now: number): void {
    this.#connection.number += 1;
    this.#connection.isSubscribing = true;
    this.#outbox.echoes.begin(now);
    this.#jobs.forgetBroker(this.options.instance);
  }

  /** Handles a new connection after the broker has answered the subscription. */
  connected(now: number): SiteAction[] {
    this.#connection.isSubscribing = false;
    this.#connection.isOpen = true;
    this.peers.reconnect(now);
    this.#jobs.takeBackAll();
    this.#sync(now);
    return this.#outbox.take();
  }

  /** Handles the end of a connection, or the rejection of its subscription. */
  disconnected(now: number): SiteAction[] {
    this.#connection.isSubscribing = false;
    this.#connection.isOpen = false;
    this.#connection.isReady = false;
    this.peers.disconnect(now);
    for (const entry of this.#jobs.open) {
      if (entry.phase === 'claiming' && !entry.isIdempotent) this.#jobs.takeBack(entry);
    }
    this.#elections.look(now);
    return this.#outbox.take();
  }

  message(now: number, incoming: Incoming): SiteAction[] {
    this.#recordStall(now);
    const { kind, id, payload } = incoming;
    if (payload.length === 0) this.#cleared(incoming, now);
    else if (kind === 'job') this.#job(incoming, now);
    else if (kind === 'state') this.#state(readMessage('state', payload), now);
    else if (kind === 'claim') this.#handleClaim(id, readMessage('claim', payload), now);
    else this.#result(incoming, readMessage('result', payload), now);
    return this.#outbox.take();
  }

  tick(now: number): SiteAction[] {
    this.#recordStall(now);
    this.#standstill.look(now);
    if (now >= this.#outbox.nextHeartbeatAt) {
      if (this.#connection.isOpen) this.#outbox.beat(now, this.#connection.isReady);
      else this.#outbox.nextHeartbeatAt = now + heartbeatMs;
      this.peers.prune(now);
      this.#jobs.prune(now);
      for (const entry of this.#jobs.claimed) this.#clearClaim(entry, now);
    }
    this.#elections.look(now);
    this.#clearLate(now);
    return this.#outbox.take();
  }

  turn(now: number, id: string): SiteAction[] {
    this.#recordStall(now);
    this.#elections.turn(id, now);
    return this.#outbox.take();
  }

  finished(now: number, id: string, receipts: readonly WireReceipt[]): SiteAction[] {
    const entry = this.#jobs.find(id);
    if (entry && (entry.isRevocable || entry.phase === 'admitted')) {
      this.#outbox.answer(entry, receipts);
      this.#jobs.answered(entry, now, this.#connection.isOpen);
    }
    return this.#outbox.take();
  }

  /** Leaves unsent jobs to other instances, and starts no more jobs. */
  retire(): SiteAction[] {
    this.#connection.isRetired = true;
    this.#jobs.takeBackAll();
    return this.#outbox.take();
  }

  /** Announces the end of this instance, so that another instance takes over immediately. */
  leave(now: number): SiteAction[] {
    if (this.#connection.isOpen) this.#outbox.beat(now, this.#connection.isReady, true);
    return this.#outbox.take();
  }

  #job({ id, payload, expiry }: Incoming, now: number): void {
    const job = readMessage('job', payload);
    const isRight = job?.id === id && job.site === this.options.site;
    if (!isRight || expiry === undefined) {
      const isOthers = this.#jobs.find(id)?.job !== undefined || this.peers.hasLower(now);
      this.#outbox.refuse(id, isRight ? job : undefined, !isOthers);
      return;
    }
    const entry = this.#jobs.at(id, now);
    const staleMs = this.#connection.isReady ? 0 : this.#standstill.staleMs;
    entry.isOnBroker = true;
    const keptMs = this.#keptMs(Math.max(0, (job.expiry ?? expiry) - expiry));
    entry.askedAt = Math.min(entry.askedAt, now - this.#staleMs(now) - (job.ago ?? 0) - keptMs);
    entry.until = Math.min(entry.until, now + expiry * 1_000 - staleMs);
    const { claimed, maybeClaimedBy = [], eligible } = job;
    entry.isNamed ||= eligible === undefined || eligible.includes(this.options.instance);
    entry.hasRivals ||= eligible?.some((instance) => instance !== this.options.instance) ?? false;
    entry.awaitInstances(maybeClaimedBy);
    for (const instance of maybeClaimedBy) this.peers.mention(now, instance, '');
    if (claimed !== undefined && claimed !== this.options.instance && entry.claims.length === 0) {
      entry.recordClaim(claimed);
      this.peers.mention(now, claimed, '');
    }
    if (!entry.job) this.#begin(entry, job, now);
    // The centre repeats a job whose result has not reached the centre, for example because a busy broker
    // dropped the result.
    else if (entry.own && this.#connection.isReady && !(entry.isAnswered && entry.own.doneBy))
      this.#outbox.result(entry, now);
    if (entry.phase === 'late' && now < entry.until) this.#jobs.reopen(entry);
    if (entry.phase === 'waiting') this.#jobs.open.add(entry);
    if (!entry.mayBeClaimed)
      this.#outbox.nextHeartbeatAt = Math.min(this.#outbox.nextHeartbeatAt, now + lookMs);
    this.#elections.consider(entry, now);
  }

  /**
   * Returns the maximum time for which the broker stored a message, in milliseconds. The broker counts whole
   * seconds, so one second is added, except to 0 seconds on a ready connection.
   */
  #keptMs(seconds: number): number {
    return seconds > 0 || !this.#connection.isReady ? (seconds + 1) * 1_000 : 0;
  }

  /**
   * Returns the maximum delay of a message that arrives now, in milliseconds. The time for which the broker
   * stored the message is not included (see `#keptMs`).
   */
  #staleMs(now: number): number {
    const standstillMs = this.#connection.isReady ? 0 : this.#standstill.staleMs;
    return Math.max(standstillMs, this.#outbox.echoes.staleMs(now));
  }

  #begin(entry: JobState, job: JobMessage, now: number): void {
    this.#jobs.setJob(entry, job);
    this.#place(entry, job);
    entry.isIdempotent = this.options.isIdempotent(job.command);
    entry.startsAt = now + this.options.rank * rankMs;
    const known = this.#remembered.get(entry.id);
    if (known === undefined || entry.result || (known === null && entry.isIdempotent)) return;
    // An earlier run of this node did the job, or might have done the job. Earlier jobs no longer start after it.
    if (!isUndone(known)) this.#jobs.order.record(entry);
    if (known) entry.own = known.doneBy ? { ...known, doneBy: [this.options.instance] } : known;
    else this.#outbox.answerUnknown(entry, job);
    this.#jobs.answered(entry, now, this.#connection.isOpen);
  }

  #place(entry: JobState, job: JobMessage): void {
    const { centre, seq } = job;
    if (centre === undefined || seq === undefined) return;
    const { outputs, isStop } = this.#outputsOf(centre, job);
    entry.seq = seq;
    entry.isStop = isStop;
    entry.outputs = outputs;
    this.#jobs.order.add(entry);
  }

  #outputsOf(
    centre: string,
    job: Pick<JobMessage, 'command' | 'devices'>,
  ): Pick<JobState, 'outputs' | 'isStop'> {
    const { names, isStop } = this.options.outputs?.(job) ?? { names: [], isStop: false };
    return { outputs: names.map((name) => `${centre} ${name}`), isStop };
  }

  /** After a clear other than a drill, earlier jobs for the same outputs no longer start. */
  #recordCleared({ alert, centre, seq, drill }: NonNullable<ResultMessage['cleared']>): void {
    if (drill || centre === undefined || seq === undefined) return;
    const { outputs } = this.#outputsOf(centre, { command: { alert, action: 'clear' }, devices: [] });
    this.#jobs.order.record({ outputs, seq });
  }

  #state(state: StateMessage | undefined, now: number): void {
    if (!state) return;
    if (state.instance === this.options.instance) {
      this.#outbox.echoes.back(state.seq);
      if (!this.#connection.isReady && this.#connection.isOpen && state.seq >= this.#syncsAt)
        this.#ready(now);
      return;
    }
    const isNew = this.peers.recordHeartbeat(now, state);
    if (isNew && this.#connection.isReady) this.#outbox.answerBeat(now);
    this.#elections.look(now);
  }

  #handleClaim(id: string, claim: ClaimMessage | undefined, now: number): void {
    this.#elections.handleClaim(id, claim, now);
    const entry = this.#jobs.find(id);
    if (entry?.result) this.#clearClaim(entry, now);
  }

  /**
   * Removes the claim of an answered job from the broker if this instance is the claimant or the claimant is
   * dead. Other claims are checked again later.
   */
  #clearClaim(entry: JobState, now: number): void {
    const { id, isClaimed, lastClaim } = entry;
    const isOthers = !isClaimed && lastClaim !== undefined && lastClaim.instance !== this.options.instance;
    if (!isClaimed && !lastClaim) this.#jobs.claimed.delete(entry);
    else if (!this.#connection.isOpen || (isOthers && !this.#isDefinitelyDead(lastClaim, now)))
      this.#jobs.claimed.add(entry);
    else {
      entry.isClaimed = false;
      entry.lastClaim = undefined;
      this.#jobs.claimed.delete(entry);
      this.#outbox.add({ do: 'publish', kind: 'claim', id });
    }
  }

  #isDefinitelyDead({ instance }: ClaimMessage, now: number): boolean {
    return this.#connection.isReady && this.peers.isDead(instance, now);
  }

  /**
   * Marks the connection as not ready until a heartbeat of this instance comes back and shows that all
   * earlier messages have been read. Until then, a message or an echo can be as old as the stall of this
   * process.
   */
  #sync(now: number): void {
    this.#connection.isReady = false;
    this.#syncsAt = this.#outbox.beat(now, false);
  }

  /**
   * Handles the echo of the heartbeat from `#sync`: all earlier messages have arrived. Publishes results that
   * the broker might have forgotten.
   */
  #ready(now: number): void {
    this.#connection.isReady = true;
    this.#standstill.staleMs = 0;
    for (const entry of this.#jobs.all) {
      this.#elections.report(entry, now);
      if (!entry.isAnswered && this.#jobs.isFresh(entry, now)) this.#outbox.result(entry, now);
    }
    this.#outbox.beat(now, true);
    this.#clearLate(now);
    this.#elections.ready(now);
    this.#elections.look(now);
  }

  #result({ id, expiry }: Incoming, result: ResultMessage | undefined, now: number): void {
    if (!result) return;
    const entry = this.#jobs.at(id, now);
    this.#jobs.setResult(entry, result);
    entry.isAnswered = true;
    this.#clearClaim(entry, now);
    const unneeded = this.#starts.record(id, result, now, expiry ?? clearLastsSeconds);
    if (unneeded !== undefined) this.#outbox.add({ do: 'publish', kind: 'result', id: unneeded });
    if (result.doneBy) this.#resultOfAll(entry, result, now, expiry);
    else if (entry.phase !== 'admitted') this.#jobs.end(entry);
  }

  /** Handles the result of a clear, to which each instance adds its own result. */
  #resultOfAll(
    entry: JobState,
    { doneBy, cleared }: ResultMessage,
    now: number,
    expiry = clearLastsSeconds,
  ): void {
    const keptMs = Math.max(0, clearLastsSeconds - expiry) * 1_000;
    if (cleared) {
      this.#forgetEarlier(entry.id, cleared, now, keptMs);
      this.#recordCleared(cleared);
    }
    if (doneBy?.includes(this.options.instance)) return;
    if (entry.own) this.#outbox.result(entry, now);
    else if (entry.isPending && entry.phase === 'late') this.#jobs.reopen(entry);
    else if (cleared && !entry.job && !this.#remembered.has(entry.id)) {
      const { alert, drill = false, centre, seq, ago = 0 } = cleared;
      const agoMs = ago + this.#staleMs(now) + this.#keptMs(keptMs / 1_000);
      const order = { agoMs, centre, seq };
      this.#lateClears.set(entry.id, {
        clear: { do: 'clear', id: entry.id, alert, order, drill },
        receivedAt: now,
      });
      this.#clearLate(now);
    }
  }

  #clearLate(now: number): void {
    if (!this.#connection.isReady) return;
    for (const [id, { clear, receivedAt }] of this.#lateClears) {
      const order = { ...clear.order, agoMs: clear.order.agoMs + now - receivedAt };
      const { agoMs, centre, seq } = order;
      const than = { at: now - agoMs, centre, seq };
      // Another instance might still be carrying out a later start.
      if (this.#jobs.laterStarts(clear.alert, than, now).length > 0) continue;
      this.#lateClears.delete(id);
      if (!this.#starts.isAfter(clear.alert, order, now)) this.#outbox.add({ ...clear, order });
    }
  }

  /**
   * Removes the results of older clears of an alert from the broker after an hour. The result of the last
   * clear is enough for instances that were offline.
   */
  #forgetEarlier(
    id: string,
    { alert, drill }: NonNullable<ResultMessage['cleared']>,
    now: number,
    keptMs: number,
  ): void {
    const key = `${String(drill === true)} ${alert}`;
    const clear = { id, at: now - keptMs };
    const known = this.#lastClears.get(key);
    const [earlier, later] = known && known.at > clear.at ? [clear, known] : [known, clear];
    this.#lastClears.set(key, later);
    const [oldest] = this.#lastClears.keys();
    if (this.#lastClears.size > maxAlerts && oldest !== undefined) this.#lastClears.delete(oldest);
    if (earlier && earlier.id !== later.id && now - earlier.at > resultLastsSeconds * 1_000)
      this.#outbox.add({ do: 'publish', kind: 'result', id: earlier.id });
  }

  #cleared({ kind, id }: Incoming, now: number): void {
    const entry = this.#jobs.find(id);
    if (!entry) return;
    entry.touchedAt = now;
    if (kind === 'claim') entry.lastClaim = undefined;
    if (kind !== 'job') return;
    entry.isOnBroker = false;
    // If another instance has sent a result, the job was removed because of this result, not because the job
    // expired. This instance then still finishes the job.
    if (entry.phase === 'admitted' && !entry.isForAll && !entry.result)
      this.#outbox.add({ do: 'refuse', id });
    const isWaiting =
      entry.phase === 'waiting' && !entry.isPending && !this.#elections.mayBeAtDevice(entry, now);
    if (isWaiting || (entry.isRevocable && !entry.isForAll)) this.#jobs.end(entry, 'late');
  }

  /** After a stall of this process, messages that are read now can be as old as the stall. */
  #recordStall(now: number): void {
    const stalledMs = this.#standstill.since(now);
    if (stalledMs === 0) return;
    this.peers.shift(stalledMs);
    for (const { sent } of this.#jobs.open) if (sent) sent.at = Math.max(sent.at, now);
    if (this.#connection.isOpen) this.#sync(now);
  }
}

/** Whether a result says that nothing was sent. */
function isUndone(result: ResultMessage | null): boolean {
  const receipts = result?.receipts ?? [];
  const isUnsent = ({ outcome }: WireReceipt) => outcome === 'superseded' || outcome === 'expired';
  return receipts.length > 0 && receipts.every(isUnsent);
}
