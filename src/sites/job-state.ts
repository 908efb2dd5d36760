import { maxInstances } from './peer-registry';
import type { ClaimMessage, JobMessage, ResultMessage } from './wire';

/**
 * The phase of a job at one instance. `waiting`: for its turn among the instances. `begun`: in the queues of
 * its devices. `claiming`: a device is ready, and the claim was sent. `admitted`: the job may be sent.
 * `late`: expired or withdrawn. `ended`: finished here.
 */
type Phase = 'waiting' | 'begun' | 'claiming' | 'admitted' | 'late' | 'ended';

/** The state of one job at one instance. */
export class JobState {
  job: JobMessage | undefined;
  /** Expiry according to the broker, on the monotonic clock. */
  until = Number.POSITIVE_INFINITY;
  /** Earliest possible time of the centre's request, on the monotonic clock. */
  askedAt = Number.POSITIVE_INFINITY;
  /** Sequence number of the job at its centre, and its outputs, see `Order`. */
  seq = 0;
  outputs: readonly string[] = [];
  /** Whether the job stops its outputs. */
  ends = false;
  /** Whether a later job supersedes this one. Its claim then only permits the answer. */
  isTakenOut = false;
  /** Whether its claim had no echo, so that the job that supersedes it no longer waits. */
  isPassed = false;
  /** Whether the job is idempotent. */
  isSafe = false;
  /** Earliest start, which depends on the rank of the instance. */
  startsAt = 0;
  phase: Phase = 'waiting';
  /** Whether the broker holds the job, as far as this connection shows. */
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
  /** The last claim on this connection. */
  lastClaim: ClaimMessage | undefined;
  /** The own claim: number, connection, time, and whether other instances were alive then. */
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
  /** The last result, of this instance or another one. */
  result: ResultMessage | undefined;
  /** The answer of this instance. */
  own: ResultMessage | undefined;
  /** Whether a result arrived on this connection. */
  isAnswered = false;

  constructor(
    readonly id: string,
    /** Time of the last message about the job. */
    public touchedAt: number,
  ) {}

  /**
   * Whether the job is for all instances: each instance has its own started alerts in its journal, so each
   * must clear them.
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
   * Whether this instance may claim the job. For a job that is not idempotent, the centre must know the
   * possible claimants.
   */
  get mayBeClaimed(): boolean {
    return this.isNamed || this.isSafe || this.isForAll;
  }

  /** Whether the job can be withdrawn, because nothing of it was sent. */
  get isRevocable(): boolean {
    return this.phase === 'begun' || this.phase === 'claiming';
  }

  /**
   * Adds instances that must be heard. The number is limited, since an instance beyond the maximum of
   * remembered ones is never heard.
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
