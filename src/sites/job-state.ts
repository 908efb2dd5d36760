import { maxInstances } from './peer-registry';
import type { ClaimMessage, JobMessage, ResultMessage } from './wire';

/**
 * The phase of a job at one instance.
 * - `waiting`: other instances or earlier jobs come first.
 * - `begun`: the job is in the queues of its devices.
 * - `claiming`: a device is ready, and this instance has sent its claim.
 * - `admitted`: the job may be sent.
 * - `late`: the job has expired or was withdrawn.
 * - `ended`: this instance has finished the job.
 */
type Phase = 'waiting' | 'begun' | 'claiming' | 'admitted' | 'late' | 'ended';

export class JobState {
  job: JobMessage | undefined;
  /** Expiry of the job according to the broker, in milliseconds on the monotonic clock. */
  until = Number.POSITIVE_INFINITY;
  /** Earliest possible time of the centre's request, in milliseconds on the monotonic clock. */
  askedAt = Number.POSITIVE_INFINITY;
  /** Sequence number of the job at its centre; 0 if unknown. */
  seq = 0;
  /** Keys of the device outputs that the job starts or stops, see `Order`. */
  outputs: readonly string[] = [];
  /** Whether the job stops its outputs, instead of starting them. */
  isStop = false;
  /**
   * Whether a later job supersedes this job. This instance then claims the job only to report that nothing
   * was sent.
   */
  isTakenOut = false;
  /**
   * Whether the claim of this superseded job got no echo, so that the later job no longer waits for this job.
   */
  isPassed = false;
  isIdempotent = false;
  /**
   * Earliest time at which this instance starts the job, in milliseconds on the monotonic clock; later for a
   * higher rank.
   */
  startsAt = 0;
  phase: Phase = 'waiting';
  /** Whether the broker still stores the job, as seen on this connection. */
  isHeld = false;
  /** Instances in the order of their claims. The first claim wins. */
  readonly claims: string[] = [];
  /** Whether the centre named this instance as a possible claimant. */
  isNamed = false;
  /** Whether the centre named another instance as a possible claimant. */
  hasRivals = false;
  /**
   * The instances whose messages must arrive on this connection before this instance claims a job that is not
   * idempotent.
   */
  awaitedInstances: readonly string[] = [];
  /** The last claim on this connection, of any instance. */
  lastClaim: ClaimMessage | undefined;
  /**
   * The last claim that this instance sent, with its time and connection. `inCompany` is true if other
   * instances were alive.
   */
  sent:
    | { readonly seq: number; readonly connection: number; at: number; readonly withPeers: boolean }
    | undefined;
  /**
   * Whether this instance leaves the job to others: the echo of its claim was lost, and another claim might
   * have come first.
   */
  isLeft = false;
  /** Whether the broker stores the claim of this instance, as far as known. */
  isClaimed = false;
  /** The last result of any instance, for a clear merged with earlier results; undefined without a result. */
  result: ResultMessage | undefined;
  own: ResultMessage | undefined;
  /** Whether a result arrived on this connection. */
  isAnswered = false;

  constructor(
    readonly id: string,
    /** Time of the last message about the job, in milliseconds on the monotonic clock. */
    public touchedAt: number,
  ) {}

  /**
   * Whether every instance has to do the job. True for a clear: the journal of an instance has only the
   * alerts that this instance started.
   */
  get isForAll(): boolean {
    const { command } = this.job ?? {};
    return command !== undefined && 'alert' in command && command.action === 'clear';
  }

  /**
   * Whether this instance must still do a clear that another instance has done, even after the clear has
   * expired.
   */
  get isPending(): boolean {
    return this.isForAll && this.result?.cleared !== undefined && this.own === undefined;
  }

  /**
   * Whether this instance may claim the job: if the job is not idempotent, only if the centre named this
   * instance.
   */
  get mayBeClaimed(): boolean {
    return this.isNamed || this.isIdempotent || this.isForAll;
  }

  /** Whether the job can be withdrawn: no request of the job was sent. */
  get isRevocable(): boolean {
    return this.phase === 'begun' || this.phase === 'claiming';
  }

  /**
   * Adds instances to `toHear`, up to one more than `maxInstances`. More instances would make no difference,
   * since only `maxInstances` are known.
   */
  awaitInstances(maybeClaimedBy: readonly string[]): void {
    this.awaitedInstances = [...new Set([...this.awaitedInstances, ...maybeClaimedBy])].slice(
      0,
      maxInstances + 1,
    );
  }

  forgetClaim(instance: string): void {
    const index = this.claims.indexOf(instance);
    if (index >= 0) this.claims.splice(index, 1);
  }

  noteClaim(instance: string): void {
    if (this.claims.length < maxInstances && !this.claims.includes(instance)) this.claims.push(instance);
  }
}
