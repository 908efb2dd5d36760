import { maxInstances } from './peer-registry';
import type { ClaimMessage, JobMessage, ResultMessage } from './wire';

/**
 * The phase of a job at one instance.
 * - `waiting`: the job is not in the queues of its devices.
 * - `begun`: the job is in the queues of its devices.
 * - `claiming`: this instance waits for the echo of its claim.
 * - `admitted`: the requests of the job may be sent.
 * - `late`: the job has expired, or was removed from the broker.
 * - `ended`: the job has a result.
 */
type Phase = 'waiting' | 'begun' | 'claiming' | 'admitted' | 'late' | 'ended';

export class JobState {
  job: JobMessage | undefined;
  /**
   * Time at which the job expires, in milliseconds on the monotonic clock; infinite until the job arrives.
   */
  until = Number.POSITIVE_INFINITY;
  /**
   * Earliest possible time of the centre's request, in milliseconds on the monotonic clock; infinite until
   * the job arrives.
   */
  askedAt = Number.POSITIVE_INFINITY;
  /** Sequence number of the job at its centre; 0 if unknown. */
  seq = 0;
  /** Keys of the device outputs that the job starts or stops (see `Order`). */
  outputs: readonly string[] = [];
  /** Whether the job stops its device outputs. */
  isStop = false;
  /**
   * Whether a later job supersedes this job. This instance then claims the job only to report that nothing
   * was sent.
   */
  isSuperseded = false;
  /**
   * Whether the claim of this superseded job got no echo, so that the later job no longer waits for this job.
   */
  hasNoEcho = false;
  isIdempotent = false;
  /**
   * Earliest time at which this instance starts the job, in milliseconds on the monotonic clock; later for a
   * higher rank.
   */
  startsAt = 0;
  phase: Phase = 'waiting';
  /** Whether the broker still stores the job, as seen on this connection. */
  isOnBroker = false;
  /** Instances in the order of their first claims. */
  readonly claims: string[] = [];
  /** Whether `eligible` of the job includes this instance or is absent. */
  isNamed = false;
  /** Whether `eligible` of the job includes another instance. */
  hasRivals = false;
  /**
   * The instances that must announce their claims and results on this connection before this instance claims
   * a job that is not idempotent.
   */
  awaitedInstances: readonly string[] = [];
  /**
   * The claim that the broker stores, of any instance, as seen on this connection; undefined if none was
   * seen.
   */
  lastClaim: ClaimMessage | undefined;
  /**
   * The last claim that this instance sent, with its time and connection. `withPeers` is true if other
   * instances were alive. `seq` is -1 if no echo is expected.
   */
  sent:
    | { readonly seq: number; readonly connection: number; at: number; readonly withPeers: boolean }
    | undefined;
  /**
   * Whether this instance leaves the job to other instances. The echo of its claim was lost, so another claim
   * might have come first.
   */
  isLeftToOthers = false;
  /** Whether the broker stores a claim of this instance, as far as this instance knows. */
  isClaimed = false;
  /**
   * The last result of any instance; for a clear, the merged results of all instances; undefined if there is
   * none.
   */
  result: ResultMessage | undefined;
  /** Length of the result of a clear that arrived before the job, in characters of JSON. */
  unknownLength = 0;
  own: ResultMessage | undefined;
  /** Whether a result arrived on this connection. */
  isAnswered = false;

  constructor(
    readonly id: string,
    /** Time of the last message or result of the job, in milliseconds on the monotonic clock. */
    public touchedAt: number,
  ) {}

  /**
   * Whether every instance must do the job. True for a clear: the journal of an instance contains only the
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
   * Whether this instance may claim the job. A job that is neither idempotent nor a clear needs `isNamed`.
   */
  get mayBeClaimed(): boolean {
    return this.isNamed || this.isIdempotent || this.isForAll;
  }

  /** Whether the job can be removed from the queues of its devices: no request of the job was sent. */
  get isRevocable(): boolean {
    return this.phase === 'begun' || this.phase === 'claiming';
  }

  /**
   * Adds instances to `awaitedInstances`. Stores at most one more than `maxInstances`: further instances
   * would make no difference, since only `maxInstances` are known.
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

  recordClaim(instance: string): void {
    if (this.claims.length < maxInstances && !this.claims.includes(instance)) this.claims.push(instance);
  }
}
