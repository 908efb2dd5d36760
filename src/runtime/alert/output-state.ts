import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../kernel/time/clock';
import { Retries } from '../../kernel/time/retries';
import type { Alert, AlertAction, AlertsById, Named, SendResult } from './alert';

/** A request at a device output. `number` rises with each request. */
export interface Ticket {
  readonly number: number;
  readonly output: OutputState;
  readonly alert: string;
  readonly action: AlertAction;
  /** The device, under the name whose login the request uses. */
  readonly device: Named;
  /**
   * A `start` belongs to a start of the alert, and an `end` is a stop. A `return` is a start in place of a stop.
   * An `again` is the retry of a start that failed or has an unknown result.
   */
  readonly kind: 'start' | 'end' | 'return' | 'again';
  /** Whether the stop only comes before the next start: a looping tone is not started twice. */
  readonly isBeforeStart?: boolean | undefined;
  /** The run of the alert at the time of the request; absent if nothing is known of the alert any more. */
  readonly run?: string | undefined;
  /** Position of the action in the alert; only for a `start`. */
  readonly index?: number | undefined;
  /** Whether the start has made the alert active, so that the report counts its latency. */
  readonly isFirst?: boolean | undefined;
}

/** A start of which the journal knows that it might have been sent. */
export type StartUnderWay = Pick<Ticket, 'number' | 'alert' | 'action' | 'device' | 'run' | 'index'>;

export type Answer =
  | { readonly ticket: Ticket; readonly heldBy?: undefined }
  | { readonly heldBy: Alert; readonly ticket?: undefined };

export interface AlertClaim {
  readonly action: AlertAction;
  readonly device: Named;
  /**
   * Number that rises with each claim. At each device, an alert ends its actions in descending order of this
   * number.
   */
  readonly order: number;
  /** Whether the action waits for a `return`: its alert did not own the output, or a stop has ended the action. */
  isHeld: boolean;
  /** Problem of the last start; undefined before a start, or if the last start was accepted or skipped. */
  problem?: StartProblem | undefined;
  /**
   * Whether the output was detached from its alerts (`leave`) since the last start. A failed start is then
   * not retried.
   */
  isLeft?: boolean | undefined;
}

/**
 * `ended`: the device accepted the start, but something other than an alert might have ended the action since.
 * `away`: the device accepted the start, but did not answer for some time since, or restarted.
 */
export type StartProblem = Exclude<SendResult, 'taken' | 'skipped'> | 'ended' | 'away';

export interface Started extends Pick<Ticket, 'number' | 'alert' | 'action' | 'device'> {
  /**
   * Time at which the device ends the action by itself, in epoch milliseconds; undefined if the action has no
   * time limit.
   */
  readonly until?: number | undefined;
}

export type OutputStep = Omit<Ticket, 'number' | 'output' | 'run'>;

/**
 * Returns the current location of a device; undefined if the location is unknown. `deviceId` is the id of one
 * of the names of the device, and `was` is the last known location.
 */
export type WhereOf = (deviceId: string, was: string | undefined) => string | undefined;

export interface OutputPart {
  readonly output: OutputState;
  readonly where: string | undefined;
  /** Whether the split set the device of a claim to the device of `on`. */
  readonly isRenamed?: boolean;
}

/**
 * The claims of alerts at one output of one device, and the start that might be on. The state belongs to no
 * node, so that no pending stop is lost in a deploy or when a node is deleted.
 */
export class OutputState {
  readonly claims = new Map<string, AlertClaim>();
  /**
   * The starts of which one is on, or might be on, in the order of their requests. Each but the first has an unknown
   * result, so that the starts before it might still be on. Empty before a start, after a stop, and after `leave`.
   */
  starts: readonly Started[] = [];
  readonly underWay = new Set<Ticket>();
  /** Whether a deploy could not move the output, because a request was under way. */
  isMoveDue = false;
  /** The alerts to which something here belonged when the output was last recorded. */
  alerts: Set<string> = new Set();
  /** The failed requests for the pending command. */
  retries = new Retries();
  /**
   * Time of the next request, in milliseconds on the monotonic clock; minus infinity if it can be sent
   * immediately.
   */
  dueAt = Number.NEGATIVE_INFINITY;
  /**
   * Time at which the device ends by itself what another node or another alert started at the output, in epoch
   * milliseconds; undefined if there is none.
   */
  othersUntil: number | undefined;

  constructor(
    public key: string,
    public device: Named,
    readonly deviceOutput: string,
    readonly dryRun: boolean,
  ) {}

  get isEmpty(): boolean {
    return this.claims.size === 0 && this.starts.length === 0 && this.underWay.size === 0;
  }

  /** The last start that happened or might have happened. */
  get on(): Started | undefined {
    return this.starts.at(-1);
  }

  get #lasting(): Started | undefined {
    return this.starts.findLast(({ action }) => action.end);
  }

  /**
   * The alerts that no longer claim the output, although a start of theirs might be on: their stop, or a start in its
   * place, is pending.
   */
  get pending(): readonly string[] {
    const last = this.#lasting;
    const unclaimed = this.starts.filter(({ alert, action }) => action.end && !this.claims.has(alert));
    // If a later start of unknown result must not be sent again, nothing more is sent.
    const isMeant = (start: Started) => start === last || (last && isSentAgain(last.action));
    return unclaimed.filter(isMeant).map(({ alert }) => alert);
  }

  get isStarting(): boolean {
    return [...this.underWay].some(({ kind }) => kind !== 'end');
  }

  has(alertId: string): boolean {
    return (
      this.on?.alert === alertId ||
      [...this.underWay].some(({ alert, kind }) => alert === alertId && kind !== 'end')
    );
  }

  /**
   * Whether a start of this alert is on or might be on, and the device has not ended the action by itself
   * yet.
   * @param now time in epoch milliseconds
   */
  isOnFor(alertId: string, now: number): boolean {
    return this.on?.alert === alertId && (this.on.until ?? Number.POSITIVE_INFINITY) > now;
  }

  /**
   * Returns the alert that owns the output; undefined if there is none. A real alert precedes a drill; then the higher
   * priority wins, then the later start. An action that the device rejected owns nothing, unless an earlier start of
   * the alert might be on.
   */
  owner(alerts: AlertsById): Alert | undefined {
    return this.#first(alerts, (id, { problem }) => !isRejected(problem) || this.on?.alert === id);
  }

  #first(alerts: AlertsById, isMeant: (alertId: string, claim: AlertClaim) => boolean): Alert | undefined {
    let first: Alert | undefined;
    for (const [id, claim] of this.claims) {
      const alert = alerts.get(id);
      if (alert && isMeant(id, claim) && (!first || isBefore(alert, first))) first = alert;
    }
    return first;
  }

  /** Returns the command that is pending; undefined if there is none. */
  step(alerts: AlertsById): OutputStep | undefined {
    const last = this.#lasting;
    const unclaimed = this.pending.at(-1);
    const end = last && unclaimed !== undefined ? this.#endOf(last, unclaimed) : undefined;
    const owner = this.owner(alerts);
    const next = owner ?? this.#first(alerts, () => true);
    const claim = next && this.claims.get(next.id);
    if (!next || !claim) return end;
    const { action, device, problem, isHeld } = claim;
    const step = { alert: next.id, action, device };
    if (owner && isHeld && action.end) return { ...step, kind: 'return' };
    if (end) return end;
    const own = last?.alert === next.id ? last : undefined;
    if (own && unclaimed !== undefined) return { ...step, kind: 'return' };
    if (!isTriedAgain(next, claim)) return undefined;
    // A looping tone must not be started twice. A start that the device rejects must not silence the tone.
    if (own?.action.steady && problem !== 'refused')
      return { alert: next.id, action: own.action, device: own.device, kind: 'end', isBeforeStart: true };
    return { ...step, kind: 'again' };
  }

  /**
   * The stop that is pending: of a start that no alert claims, or of all starts if it is unknown which is on and the
   * last one cannot simply be sent again.
   * @param alert the last of `pending`
   */
  #endOf(last: Started, alert: string): OutputStep | undefined {
    const claim = this.claims.get(last.alert);
    const isBeforeStart = claim && !isRejected(claim.problem);
    if (isBeforeStart && !last.action.steady) return undefined;
    return { alert, action: last.action, device: last.device, kind: 'end', isBeforeStart };
  }

  /** Ignores the result of another action of the alert, and a problem of a start that is older than `on`. */
  recordProblem(
    { alert, action, number }: Pick<Ticket, 'alert' | 'action' | 'number'>,
    problem: StartProblem | undefined,
  ): void {
    const claim = this.claims.get(alert);
    if (!claim || !isDeepStrictEqual(claim.action, action)) return;
    if (problem && this.on?.alert === alert && this.on.number > number) return;
    claim.problem = problem;
  }

  /**
   * Detaches the output from its alerts: no alert stops the output, and its failed starts are no longer
   * retried. Called after other code used the output, or when the device no longer exists.
   */
  leave(): void {
    this.starts = [];
    for (const claim of this.claims.values()) claim.isLeft = true;
  }

  /**
   * Records a start that happened or might have happened. Ignores a start that is older than the last one.
   * @param isSure whether the device accepted the start
   */
  recordStart(started: Started, isSure: boolean): void {
    const { number, alert, action } = started;
    if (this.on && this.on.number > number) return;
    const mightBeOn = (before: Started) => before.action.end && (before.alert !== alert || !action.end);
    this.starts = [...(isSure ? [] : this.starts.filter(mightBeOn)), started];
    for (const [id, claim] of this.claims) claim.isHeld = isStillHeld(id, claim, started);
  }

  /** Forgets the starts that need no stop and whose alerts no longer claim the output. */
  forgetUnclaimed(): void {
    this.starts = this.starts.filter(({ alert, action }) => action.end || this.claims.has(alert));
  }

  recordOthersUntil(until: number): void {
    this.othersUntil = Math.max(this.othersUntil ?? until, until);
  }

  /** Records a stop that succeeded. The actions of other alerts that still claim the output have to return. */
  recordEnd({ alert, number }: Pick<Ticket, 'alert' | 'number'>): void {
    for (const start of this.starts) {
      const claim = start.number < number ? this.claims.get(start.alert) : undefined;
      if (claim && start.alert !== alert) claim.isHeld = true;
    }
    this.starts = this.starts.filter((start) => start.number > number);
  }

  /** Returns the device of this output under one of its names. */
  under(device: Named): Named {
    const { where } = this.device;
    return where === undefined ? device : { ...device, where };
  }

  askLater(clock: Pick<Clock, 'monotonic' | 'random'>): void {
    this.dueAt = this.retries.fail(clock);
  }

  resetBackoff(): void {
    this.retries = new Retries();
    this.dueAt = Number.NEGATIVE_INFINITY;
  }

  /**
   * Splits the output by the current locations of the devices in its claims. This output keeps the start that
   * is on, and the claim of the alert of that start.
   * @returns the parts, of which this output is the first; empty if the output is empty or a request is under
   * way
   */
  splitByLocation(whereOf: WhereOf): OutputPart[] {
    const { on, claims, deviceOutput, dryRun } = this;
    this.isMoveDue = this.underWay.size > 0;
    if (this.isEmpty || this.isMoveDue) return [];
    const { where: was } = this.device;
    const isAt = ({ id }: Named) => whereOf(id, was) ?? was;
    const [first] = claims.values();
    const where = isAt((on ?? first ?? this).device);
    const isElsewhere = ({ device }: Started) => isAt(device) !== where;
    let isRenamed = this.starts.some(isElsewhere);
    if (on)
      this.starts = this.starts.map((start) =>
        isElsewhere(start) ? { ...start, device: on.device } : start,
      );
    const others = [...claims].flatMap(([id, claim]): OutputPart[] => {
      const other = isAt(claim.device);
      if (other === where) return [];
      if (id === on?.alert) {
        claims.set(id, { ...claim, device: on.device });
        isRenamed = true;
        return [];
      }
      claims.delete(id);
      const part = new OutputState('', claim.device, deviceOutput, dryRun);
      part.claims.set(id, claim);
      return [{ output: part, where: other }];
    });
    return [{ output: this, where, isRenamed }, ...others];
  }

  merge(other: OutputState): void {
    for (const [id, claim] of other.claims) {
      const own = this.claims.get(id);
      if (!own || own.order < claim.order) this.claims.set(id, claim);
    }
    if ((this.on?.number ?? 0) < (other.on?.number ?? 0)) this.starts = other.starts;
    other.claims.clear();
    other.starts = [];
    if (!this.on) return;
    for (const [id, claim] of this.claims) {
      // Skips an alert whose request is still under way: the result of that request sets `isHeld`.
      if (![...this.underWay].some(({ alert }) => alert === id))
        claim.isHeld = isStillHeld(id, claim, this.on);
    }
  }
}

function isStillHeld(
  alertId: string,
  { isHeld, action }: AlertClaim,
  is: Pick<Started, 'alert' | 'action'>,
): boolean {
  return is.alert !== alertId || (isHeld && !isDeepStrictEqual(action, is.action));
}

/** Whether a start of unknown result is sent again if a start of a cleared alert might be on instead. */
function isSentAgain({ steady, repeatable, retry }: AlertAction): boolean {
  return steady === true || (repeatable && retry !== undefined);
}

function isRejected(problem: StartProblem | undefined): boolean {
  return problem === 'refused' || problem === 'impossible';
}

/** Whether the device has definitely not carried out the start. */
export function isFailure(problem: StartProblem): boolean {
  return problem !== 'unknown' && problem !== 'ended' && problem !== 'away';
}

export function isTriedAgain(
  { retryAlert = false, drill }: Alert,
  { action, problem, isLeft }: AlertClaim,
): boolean {
  if (!problem || problem === 'impossible' || isLeft || !action.end) return false;
  const isMeant =
    action.retry === 'always' ? retryAlert !== false : action.retry === 'all' && retryAlert === 'all';
  if (isFailure(problem)) return isMeant;
  if (drill && problem !== 'unknown') return false;
  // Such a start is sent again without the promise of a retry: it takes the place of a stop.
  return (isMeant || problem === 'ended') && (action.repeatable || action.steady === true);
}

function isBefore(one: Alert, other: Alert): boolean {
  if (one.drill !== other.drill) return other.drill;
  return one.priority === other.priority ? one.order > other.order : one.priority > other.priority;
}
