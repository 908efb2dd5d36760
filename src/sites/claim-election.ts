import type { JobState } from './job-state';
import { graceMs, type Jobs } from './jobs';
import type { LastStarts } from './last-starts';
import type { Outbox } from './outbox';
import type { PeerRegistry } from './peer-registry';
import type { ClaimMessage } from './wire';

/** Maximum wait for the echo of this instance's claim, in milliseconds. */
const echoMs = 1_500;

export interface Connection {
  number: number;
  /** Whether the broker has not answered the subscription yet, so that retained messages might still arrive. */
  isSubscribing: boolean;
  isOpen: boolean;
  /**
   * Whether the first heartbeat after the connection, or after a stall of this process, has come back. All
   * messages before this heartbeat have then arrived.
   */
  isReady: boolean;
  /** Whether the node is closing, so that the instance starts no more jobs. */
  isRetired: boolean;
}

/**
 * Decides by claims which instance does a job (see `winnerOf`). The broker keeps only the last claim, so an
 * instance accepts the echo of a claim only on the connection that sent the claim.
 */
export class ClaimElection {
  constructor(
    private readonly self: string,
    private readonly connection: Connection,
    private readonly jobs: Jobs,
    private readonly peers: PeerRegistry,
    private readonly outbox: Outbox,
    private readonly starts: LastStarts,
  ) {}

  handleClaim(id: string, claim: ClaimMessage | undefined, now: number): void {
    if (!claim) return;
    const entry = this.jobs.at(id, now);
    entry.lastClaim = claim;
    const isOwn = claim.instance === this.self;
    // An echo on a later connection does not show whether another claim came first.
    if (isOwn && (entry.sent?.seq !== claim.seq || entry.sent.connection !== this.connection.number)) return;
    if (!isOwn) this.peers.mention(now, claim.instance, claim.nodeId);
    const isToKnow = !isOwn && !(entry.isIdempotent && entry.claims.includes(claim.instance));
    entry.recordClaim(claim.instance);
    if (isToKnow) this.report(entry, now);
    this.#decide(entry, now);
  }

  /**
   * Repeats the claim of an admitted job, so that the broker stores the claim of the instance that does the
   * job.
   */
  report(entry: JobState, now: number): void {
    const { phase, isForAll, lastClaim } = entry;
    if (phase !== 'admitted' || isForAll || lastClaim?.instance === this.self || !this.connection.isReady)
      return;
    this.#publish(entry, now);
  }

  /** Decides whether a job may be sent; called when the first of its devices is ready for the job. */
  turn(id: string, now: number): void {
    const entry = this.jobs.find(id);
    if (entry?.phase !== 'begun') return;
    // Another instance might have claimed the job in time, so the centre decides the outcome.
    if (isOver(entry, now)) this.jobs.end(entry, 'late');
    else if (this.#isStartedAfter(entry, now)) this.jobs.supersede(entry, now, this.connection.isOpen);
    else if (entry.isForAll) this.jobs.admit(entry);
    else if (!this.connection.isReady && !entry.isIdempotent) this.jobs.takeBack(entry);
    else if (winnerOf(entry, this.peers, now) === this.self) this.jobs.admit(entry);
    else this.#publishClaim(entry, now);
  }

  #isStartedAfter({ job, askedAt, isForAll }: JobState, now: number): boolean {
    if (!isForAll || !job || !('alert' in job.command)) return false;
    const { centre, seq, command } = job;
    return this.starts.isAfter(command.alert, { agoMs: now - askedAt, centre, seq }, now);
  }

  #isStartedElsewhere({ job, askedAt }: JobState, now: number): boolean {
    if (!job || !('alert' in job.command)) return false;
    const { centre, seq, command } = job;
    return this.jobs.laterStarts(command.alert, { at: askedAt, centre, seq }, now).some((start) => {
      const winner = winnerOf(start, this.peers, now);
      return winner !== undefined && winner !== this.self;
    });
  }

  /**
   * Whether the claimant is another live instance that might still send requests of the job. The claimant can
   * send until its result arrives, at the latest until `graceMs` after the expiry.
   */
  mayBeAtDevice(entry: JobState, now: number): boolean {
    const winner = winnerOf(entry, this.peers, now);
    if (winner === undefined || winner === this.self || this.peers.isDead(winner, now)) return false;
    return !entry.result && !entry.isForAll && now < entry.until + graceMs;
  }

  ready(now: number): void {
    for (const entry of this.jobs.open) if (entry.claims.length > 0) this.#decide(entry, now);
  }

  /** Checks all open jobs. Gives up waiting for the echo of a claim after `echoMs`. */
  look(now: number): void {
    const { isSubscribing } = this.connection;
    for (const entry of this.jobs.open) {
      const isLate = entry.phase === 'claiming' && now >= (entry.sent?.at ?? 0) + echoMs;
      if (isLate && !isSubscribing) this.#withoutEcho(entry);
      this.consider(entry, now);
    }
  }

  consider(entry: JobState, now: number): void {
    const { job, phase, isIdempotent } = entry;
    const { isSubscribing, isOpen, isReady, isRetired, number } = this.connection;
    if (!job || phase !== 'waiting' || isRetired) return;
    if (isOver(entry, now)) {
      // Ends the expired job, so that later jobs need not wait, unless another instance might still send
      // requests of the job.
      if (!this.mayBeAtDevice(entry, now)) this.jobs.end(entry, 'late');
      return;
    }
    if (!entry.mayBeClaimed) return;
    const isCutOff = !isOpen && !isSubscribing && isIdempotent;
    if (!isCutOff && !(isReady && (entry.isOnBroker || entry.isPending))) return;
    if (isReady) resolveLostEcho(entry, this.self, number);
    // A stalled link might hold back the message about a later start of the alert.
    if (entry.isForAll && isOpen && this.outbox.echoes.staleMs(now) > 0) return;
    if (entry.isForAll && this.#isStartedElsewhere(entry, now)) return;
    const owner = entry.isForAll ? 'ours' : ownershipOf(entry, this.self, this.peers, now);
    if (owner === 'ours') this.#begin(entry, now);
    if (owner !== 'lost') return;
    this.outbox.answerUnknown(entry, job);
    this.jobs.answered(entry, now, isOpen);
  }

  #begin(entry: JobState, now: number): void {
    if (!entry.isForAll && this.jobs.order.isOvertaken(entry) && entry.job) {
      // If an instance has claimed the job, the job might already be done.
      if (entry.claims.length === 0) this.#supersede(entry, now);
      else {
        this.outbox.answerUnknown(entry, entry.job);
        this.jobs.answered(entry, now, this.connection.isOpen);
      }
      return;
    }
    const isOwner = (one: JobState) =>
      one.claims.length === 0 && one.mayBeClaimed && ownershipOf(one, this.self, this.peers, now) === 'ours';
    const superseded = this.jobs.startsSupersededBy(entry, now, isOwner);
    if (!superseded) return;
    for (const start of superseded) this.#supersede(start, now);
    const isAwaited = superseded.some(({ isSuperseded, phase }) => isSuperseded && phase === 'claiming');
    if (entry.isForAll || !isAwaited) this.jobs.begin(entry, now);
  }

  #supersede(entry: JobState, now: number): void {
    // While connected, `isAlone` is not enough: an instance that is not known yet might have claimed the
    // job.
    const isAlone = this.peers.living(now).length === 0 && entry.awaitedInstances.length === 0;
    if (!this.connection.isOpen && entry.isIdempotent && isAlone) {
      this.jobs.supersede(entry, now, this.connection.isOpen);
      return;
    }
    if (entry.isRevocable) this.jobs.takeBack(entry);
    if (!this.connection.isReady || entry.hasNoEcho) return;
    entry.isSuperseded = true;
    this.#publishClaim(entry, now);
  }

  #decide(entry: JobState, now: number): void {
    if (!entry.isRevocable || entry.isForAll) return;
    // Before the connection is ready, the echo can be old: the broker might no longer store the claim.
    if (!entry.isIdempotent && !this.connection.isReady) return;
    const winner = winnerOf(entry, this.peers, now);
    if (winner !== this.self) this.jobs.takeBack(entry);
    else if (entry.isSuperseded) this.jobs.supersede(entry, now, this.connection.isOpen);
    else if (entry.phase === 'begun') return;
    else if (now >= entry.until) this.outbox.add({ do: 'refuse', id: entry.id });
    else this.jobs.admit(entry);
  }

  #publishClaim(entry: JobState, now: number): void {
    entry.phase = 'claiming';
    if (this.connection.isReady) this.#publish(entry, now);
    else entry.sent = { seq: -1, connection: -1, at: now, withPeers: true };
  }

  #publish(entry: JobState, now: number): void {
    this.outbox.publishClaim(entry, now, this.connection.number, this.peers.living(now).length > 0);
  }

  #withoutEcho(entry: JobState): void {
    if (entry.isSuperseded) {
      entry.hasNoEcho = true;
      this.jobs.takeBack(entry);
    } else if (entry.isIdempotent && (entry.isOnBroker || !this.connection.isOpen)) this.jobs.admit(entry);
    else this.jobs.takeBack(entry);
  }
}

function isOver({ until, isPending }: JobState, now: number): boolean {
  return now >= until && !isPending;
}

/**
 * Returns the instance that won a job: the first claimant, or for an idempotent job the first live claimant;
 * undefined if there is none.
 */
function winnerOf({ claims, isIdempotent }: JobState, peers: PeerRegistry, now: number): string | undefined {
  return isIdempotent ? claims.find((instance) => !peers.isDead(instance, now)) : claims[0];
}

/**
 * Decides whether this instance may do a waiting job.
 * - `ours`: this instance may do the job now.
 * - `others`: this instance must wait for other instances.
 * - `lost`: no instance may do the job, since a dead instance might have done the job.
 * @param self the id of this instance
 */
function ownershipOf(
  entry: JobState,
  self: string,
  peers: PeerRegistry,
  now: number,
): 'ours' | 'lost' | 'others' {
  if (peers.hasLower(now) || now < entry.startsAt) return 'others';
  const winner = winnerOf(entry, peers, now);
  if (entry.isLeftToOthers && peers.living(now).length === 0) return 'lost';
  if (winner !== undefined && winner !== self) return peers.isDead(winner, now) ? 'lost' : 'others';
  if (entry.isLeftToOthers) return 'others';
  if (entry.isIdempotent) return 'ours';
  const missing = entry.awaitedInstances.filter((instance) => !peers.hasReported(instance));
  if (missing.some((instance) => peers.isDead(instance, now))) return 'lost';
  return missing.length === 0 && peers.isSettled(now) ? 'ours' : 'others';
}

/**
 * Handles a claim of this instance whose echo was lost with an earlier connection. Another instance might
 * have claimed first, since the broker keeps only the last claim.
 * @param connection number of the current connection
 */
function resolveLostEcho(entry: JobState, self: string, connection: number): void {
  const { sent, lastClaim, claims, isIdempotent, hasRivals } = entry;
  if (!sent || sent.connection === connection) return;
  // Marks the claim as handled on this connection. The next connection must handle the claim again.
  entry.sent = { ...sent, seq: -1, connection };
  if (lastClaim?.instance !== self || isIdempotent || claims.length > 0) return;
  // Right after a connection, `withPeers` can be false although other instances exist.
  if (sent.withPeers || hasRivals) entry.isLeftToOthers = true;
  else entry.recordClaim(self);
}
