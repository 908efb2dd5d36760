import { maxInstances } from './peer-registry';
import type { ClaimMessage, JobMessage, ResultMessage } from './wire';

/**
 * The phase of a job at one instance.
 * - `waiting`: the job waits for the turn of this instance.
 * - `begun`: the job is in the queues of its devices.
 * - `claiming`: a device is ready, and the claim was sent.
 * - `admitted`: the job may be sent.
 * - `late`: the job expired or was withdrawn.
 * - `ended`: this instance has finished with the job.
 */
type Phase = 'waiting' | 'begun' | 'claiming' | 'admitted' | 'late' | 'ended';

/** The state of one job at one instance. */
export class JobState {
  job: JobMessage | undefined;
  /** Expiry according to the broker, in milliseconds on the monotonic clock. */
  until = Number.POSITIVE_INFINITY;
  /** Earliest possible time of the centre's request, in milliseconds on the monotonic clock. */
  askedAt = Number.POSITIVE_INFINITY;
  /** Sequence number of the job at its centre; 0 if unknown. */
  seq = 0;
  /** Keys of the device outputs that the job starts or stops, see `Order`. */
  outputs: readonly string[] = [];
  /** Whether the job stops its outputs. */
  ends = false;
  /**
   * Whether a later job supersedes this one. This instance then claims the job only to report that nothing
   * was sent.
   */
  isTakenOut = false;
  /**
   * Whether the claim of a superseded job had no echo, so that the later job no longer waits for this one.
   */
  isPassed = false;
  /** Whether the job is idempotent. */
  isSafe = false;
  /** Earliest start, in milliseconds on the monotonic clock. An instance with a higher rank starts later. */
  startsAt = 0;
  phase: Phase = 'waiting';
  /** Whether the broker still has the job, according to this connection. */
  isHeld = false;
  /** Instances in the order of their claims; the first one has the job. */
  readonly claims: string[] = [];
  /** Whether the centre named this instance as a possible claimant. */
  isNamed = false;
  /** Whether the centre named another instance as a possible claimant. */
  hasRivals = false;
  /**
   * Instances whose messages must have arrived on this connection before a job that is not idempotent can be
   * claimed.
   */
  toHear: readonly string[] = [];
  /** The last claim of any instance that arrived on this connection. */
  lastClaim: ClaimMessage | undefined;
  /**
   * The last claim that this instance sent: number, connection, time, and whether other instances were alive.
   */
  sent:
    | { readonly seq: number; readonly connection: number; at: number; readonly inCompany: boolean }
    | undefined;
  /**
   * Whether the job is left to other instances, because the echo of the own claim was lost and another claim
   * might have come first.
   */
  isLeft = false;
  /** Whether the own claim is on the broker, as far as known. */
  isClaimed = false;
  /** The last result, from this instance or another one; undefined without a result. */
  result: ResultMessage | undefined;
  /** The result of this instance; undefined while this instance has none. */
  own: ResultMessage | undefined;
  /** Whether a result arrived on this connection. */
  isAnswered = false;

  constructor(
    readonly id: string,
    /** Time of the last message about the job, in milliseconds on the monotonic clock. */
    public touchedAt: number,
  ) {}

  /**
   * Whether every instance has to do the job. That is so for a clear, since each instance has only the alerts
   * that it started in its journal.
   */
  get isForAll(): boolean {
    const { command } = this.job ?? {};
    return command !== undefined && 'alert' in command && command.action === 'clear';
  }

  /** Whether this instance still has to do a clear that another instance has done, even after its expiry. */
  get isPending(): boolean {
    return this.isForAll && this.result?.cleared !== undefined && this.own === undefined;
  }

  /**
   * Whether this instance may claim the job. For a job that is not idempotent, the centre must have named
   * this instance.
   */
  get mayBeClaimed(): boolean {
    return this.isNamed || this.isSafe || this.isForAll;
  }

  /** Whether the job can be withdrawn, because nothing of it was sent. */
  get isRevocable(): boolean {
    return this.phase === 'begun' || this.phase === 'claiming';
  }

  /**
   * Adds instances to `toHear`, up to one more than `maxInstances`. A longer list would change nothing, since
   * no more than `maxInstances` can be heard.
   */
  mustHear(maybeClaimedBy: readonly string[]): void {
    this.toHear = [...new Set([...this.toHear, ...maybeClaimedBy])].slice(0, maxInstances + 1);
  }

  forgetClaim(instance: string): void {
    const index = this.claims.indexOf(instance);
    if (index >= 0) this.claims.splice(index, 1);
  }

  noteClaim(instance: string): void {
    if (this.claims.length < maxInstances && !this.claims.includes(instance)) this.claims.push(instance);
  }
}
