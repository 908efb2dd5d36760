import { maxInstances } from './peer-registry';
import type { ClaimMessage, JobMessage, ResultMessage } from './wire';

/**
 * How far a job is at one instance. `waiting`: for its turn among the instances. `begun`: in the queues of its
 * devices. `claiming`: a device's turn came, and the claim is on its way. `admitted`: it may be written.
 * `late`: its time is over, or it was taken back. `ended`: there is nothing left to do here.
 */
type Phase = 'waiting' | 'begun' | 'claiming' | 'admitted' | 'late' | 'ended';

/** What one instance knows of one job. */
export class JobState {
  job: JobMessage | undefined;
  /** When its time is over, by the expiry that the broker counts; on the clock that never jumps. */
  until = Number.POSITIVE_INFINITY;
  /** When the centre asked for it, at the earliest that it may have been, on the clock that never jumps. */
  askedAt = Number.POSITIVE_INFINITY;
  /** Its number among the jobs of its centre, and what it is about there: see `Order`. */
  seq = 0;
  outputs: readonly string[] = [];
  /** It ends what it is about. */
  ends = false;
  /** What was asked later goes before it: its claim is on its way to answer it, not to do it. */
  isTakenOut = false;
  /** Nobody answers to that claim: what ends it does not wait for it any more. */
  isPassed = false;
  /** It may be done twice. */
  isSafe = false;
  /** Not before this, by the instance's rank. */
  startsAt = 0;
  phase: Phase = 'waiting';
  /** Its topic holds it, as far as is known on this connection. */
  isHeld = false;
  /** Instances in the order of their claims: the first has it. */
  readonly claims: string[] = [];
  /** The centre knows that this instance may claim it. */
  isNamed = false;
  /** Has to be heard of on this connection before anybody claims what may not be done twice. */
  toHear: readonly string[] = [];
  /** The last claim that was seen on this connection. */
  lastClaim: ClaimMessage | undefined;
  /** Of the own claim: its number, on which connection it was sent, when, and whether others lived then. */
  sent:
    | { readonly n: number; readonly connection: number; at: number; readonly inCompany: boolean }
    | undefined;
  /** The echo of the own claim was lost, and others may have been before it: it is left to them. */
  isLeft = false;
  /** The own claim is on the broker, as far as is known. */
  isClaimed = false;
  /** The last result that was seen, or is the own one. */
  result: ResultMessage | undefined;
  /** What this instance has answered. */
  own: ResultMessage | undefined;
  /** A result was seen on this connection. */
  isAnswered = false;

  constructor(
    readonly id: string,
    /** When it was last heard of. */
    public touchedAt: number,
  ) {}

  /** It goes to every instance: what an alert has started stands in the journal of the one that started it. */
  get isForAll(): boolean {
    const { work } = this.job ?? {};
    return work !== undefined && 'alert' in work && work.action === 'clear';
  }

  /** An all-clear that another instance has done is still to be done here, whatever time it is. */
  get isOwed(): boolean {
    return this.isForAll && this.result?.cleared !== undefined && this.own === undefined;
  }

  /** Where it must not be done twice, the centre has to know who may have claimed it. */
  get mayBeClaimed(): boolean {
    return this.isNamed || this.isSafe || this.isForAll;
  }

  /** It may still be taken back: nothing of it was written. */
  get isRevocable(): boolean {
    return this.phase === 'begun' || this.phase === 'claiming';
  }

  /** Whoever cannot be remembered is never heard, so no more of them need be known. */
  mustHear(lived: readonly string[]): void {
    this.toHear = [...new Set([...this.toHear, ...lived])].slice(0, maxInstances + 1);
  }

  forgetClaim(instance: string): void {
    const index = this.claims.indexOf(instance);
    if (index >= 0) this.claims.splice(index, 1);
  }

  noteClaim(instance: string): void {
    if (this.claims.length < maxInstances && !this.claims.includes(instance)) this.claims.push(instance);
  }
}
