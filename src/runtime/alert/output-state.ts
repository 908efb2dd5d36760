import { isDeepStrictEqual } from 'node:util';
import { backoffMs } from '../../time/backoff';
import type { Alert, AlertAction, Named, SendResult } from './alert';

/**
 * Limits of the pause after a failed request of a pending command, in milliseconds. The pause doubles with
 * each failure.
 */
const backoff = { firstMs: 1_000, maxMs: 30_000 };

/** A request at a device output. `number` rises with each request. */
export interface Ticket {
  readonly number: number;
  readonly output: OutputState;
  readonly alert: string;
  readonly action: AlertAction;
  /** The device, under the name whose login the request uses. */
  readonly device: Named;
  /**
   * A `start` belongs to a start of the alert, and an `end` is a stop. A `return` starts an action that was
   * held back, or replaces a start that must not stay on. An `again` is the retry of a start that failed or
   * has an unknown result.
   */
  readonly kind: 'start' | 'end' | 'return' | 'again';
  /** Whether the stop only comes before an `again`: an action that lasts until a stop is not started twice. */
  readonly isBeforeAgain?: boolean | undefined;
}

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
  /** Whether the action waits for a `return`. */
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
  /** Whether the start is a `return`, or the retry of a `return`. */
  readonly isReturn?: boolean | undefined;
  /**
   * The alerts whose starts might still be on if this start did not happen; empty or undefined if there are
   * none.
   */
  readonly insteadOf?: readonly string[] | undefined;
}

export type Step = Pick<Ticket, 'alert' | 'action' | 'device' | 'kind' | 'isBeforeAgain'>;

/**
 * Returns the current location of a device; undefined if the location is unknown. `deviceId` is the id of one
 * of the names of the device, and `was` is the last known location.
 */
export type WhereOf = (deviceId: string, was: string | undefined) => string | undefined;

export interface Part {
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
   * The last start that happened or might have happened; undefined before a start, after a stop, and after
   * `leave`.
   */
  on: Started | undefined;
  readonly underWay = new Set<Ticket>();
  /** Number of consecutive failed requests for the pending command. */
  failures = 0;
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
    return this.claims.size === 0 && !this.on && this.underWay.size === 0;
  }

  /**
   * The alerts in `insteadOf` whose starts must not stay on. Empty if the action of `on` is neither
   * repeatable nor `steady`.
   */
  get lingering(): readonly string[] {
    const { action, insteadOf = [], isReturn } = this.on ?? {};
    if (!action?.repeatable && !action?.steady) return [];
    return insteadOf.filter((id) => isReturn || !this.claims.has(id));
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
   * Returns the alert that owns the output; undefined if no alert claims the output. A real alert precedes a
   * drill; then the higher priority wins, then the later start. An alert whose action the device refused
   * comes last, unless a start of the alert is on.
   */
  owner(alerts: ReadonlyMap<string, Alert>): Alert | undefined {
    let owner: Alert | undefined;
    let isLast = false;
    for (const [id, { problem }] of this.claims) {
      const alert = alerts.get(id);
      const isRefused = problem === 'refused' && this.on?.alert !== id;
      if (!alert || (owner && (isRefused === isLast ? !isBefore(alert, owner) : isRefused))) continue;
      owner = alert;
      isLast = isRefused;
    }
    return owner;
  }

  step(alerts: ReadonlyMap<string, Alert>): Step | undefined {
    const owner = this.owner(alerts);
    const claim = owner && this.claims.get(owner.id);
    const { on } = this;
    const [lingering] = this.lingering;
    const isSentAgain = lingering !== undefined && on?.alert === owner?.id && on?.action.repeatable;
    // If the device refused the start of the owner, the earlier start was not replaced, so the earlier start
    // must be stopped.
    if (owner && claim?.problem !== 'refused' && (claim?.isHeld || isSentAgain) && claim?.action.end)
      return { alert: owner.id, action: claim.action, device: claim.device, kind: 'return' };
    // After `leave`, `on` is undefined, so that an alert never stops an operation that other code has
    // started.
    if (on?.action.end) {
      const { alert, action, device } = on;
      if (!this.claims.has(alert)) return { alert, action, device, kind: 'end' };
      // An action that lasts until a stop must not be started twice, so the earlier start is stopped first.
      const isEndedFirst = action.steady || claim?.problem === 'refused';
      if (lingering !== undefined && isEndedFirst) return { alert: lingering, action, device, kind: 'end' };
    }
    if (!owner || !claim || !isTriedAgain(owner, claim)) return undefined;
    const { action, device } = claim;
    if (on?.alert === owner.id && on.action.steady)
      return { alert: owner.id, action: on.action, device: on.device, kind: 'end', isBeforeAgain: true };
    return { alert: owner.id, action, device, kind: 'again' };
  }

  /** Ignores the result of another action of the alert, and a problem of a start that is older than `on`. */
  recordProblem(
    { alert, action, number }: Pick<Ticket, 'alert' | 'action' | 'number'>,
    problem: StartProblem | undefined,
  ): void {
    const claim = this.claims.get(alert);
    if (!claim || !isSame(claim.action, action)) return;
    if (problem && this.on?.alert === alert && this.on.number > number) return;
    claim.problem = problem;
  }

  /**
   * Detaches the output from its alerts: no alert stops the output, and its failed starts are no longer
   * retried. Called after other code used the output, or when the device no longer exists.
   */
  leave(): void {
    this.on = undefined;
    for (const claim of this.claims.values()) claim.isLeft = true;
  }

  /**
   * Records a start that happened or might have happened. Ignores a start that is older than `on`.
   * @param isSure whether the device accepted the start
   */
  recordStart(started: Started, isSure: boolean): void {
    const { number, alert, isReturn } = started;
    if (this.on && this.on.number > number) return;
    const before = !isSure && this.on?.action.end ? this.on : undefined;
    // If it is not certain that the new start has replaced the earlier start, and only the earlier start
    // needs a stop, the earlier start stays recorded.
    const { action, device, until } = before && !started.action.end ? before : started;
    const others = before && new Set([...(before.insteadOf ?? []), before.alert]);
    const insteadOf = others && [...others].filter((id) => id !== alert);
    this.on = { number, alert, action, device, until, isReturn, insteadOf };
    for (const [id, claim] of this.claims) claim.isHeld = isStillHeld(id, claim, started);
  }

  recordOthersUntil(until: number | undefined): void {
    if (until !== undefined) this.othersUntil = Math.max(this.othersUntil ?? until, until);
  }

  /**
   * Records a stop that succeeded. Has no effect if `on` is a later start. If the stop was meant for another
   * alert than that of `on`, the action of `on` is over too, and has to return.
   */
  recordEnd({ alert, number }: Pick<Ticket, 'alert' | 'number'>): void {
    const { on, lingering } = this;
    if (!on || on.number > number) return;
    this.on = undefined;
    const claim = this.claims.get(on.alert);
    if (claim && (lingering.length > 0 || on.alert !== alert)) claim.isHeld = true;
  }

  /**
   * Delays the next request after a failure, by a pause that doubles up to `backoff.maxMs` and is randomly
   * reduced by up to half.
   * @param now time on the monotonic clock, in milliseconds
   * @param random number from 0 to 1
   */
  askLater(now: number, random: number): void {
    this.dueAt = now + backoffMs(this.failures, backoff) * (1 - random / 2);
    this.failures += 1;
  }

  resetBackoff(): void {
    this.failures = 0;
    this.dueAt = Number.NEGATIVE_INFINITY;
  }

  /**
   * Splits the output by the current locations of the devices in its claims. This output keeps the start that
   * is on, and the claim of the alert of that start.
   * @returns the parts, of which this output is the first; empty if the output is empty or a request is under
   * way
   */
  splitByLocation(whereOf: WhereOf): Part[] {
    const { on, claims, deviceOutput, dryRun } = this;
    if (this.isEmpty || this.underWay.size > 0) return [];
    const { where: was } = this.device;
    const isAt = ({ id }: Named) => whereOf(id, was) ?? was;
    const [first] = claims.values();
    const where = isAt((on ?? first ?? this).device);
    let isRenamed = false;
    const others = [...claims].flatMap(([id, claim]): Part[] => {
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
    const { on } = other;
    if (on && (this.on?.number ?? 0) < on.number) this.on = on;
    other.claims.clear();
    other.on = undefined;
    if (!this.on) return;
    for (const [id, claim] of this.claims) {
      // Skips an alert whose request is still under way: the result of that request sets `isHeld`.
      if (![...this.underWay].some(({ alert }) => alert === id))
        claim.isHeld = isStillHeld(id, claim, this.on);
    }
  }
}

/**
 * Actions are compared by their requests, since the journal stores each action twice and older versions
 * stored fewer fields.
 */
function isStillHeld(
  alertId: string,
  { isHeld, action }: AlertClaim,
  is: Pick<Started, 'alert' | 'action'>,
): boolean {
  return is.alert !== alertId || (isHeld && !isSame(action, is.action));
}

function isSame(one: AlertAction, other: AlertAction): boolean {
  return one === other || isDeepStrictEqual(sent(one), sent(other));
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

function sent({ operation, parameters }: AlertAction): unknown {
  return [operation, parameters];
}

function isBefore(one: Alert, other: Alert): boolean {
  if (one.drill !== other.drill) return other.drill;
  return one.priority === other.priority ? one.order > other.order : one.priority > other.priority;
}
