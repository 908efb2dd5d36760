import { isDeepStrictEqual } from 'node:util';
import { backoffMs } from '../../time/backoff';
import type { Alert, AlertAction, Named, SendResult } from './alert';

/** Between two requests for what is owed, in milliseconds; each time twice as long. */
const backoff = { firstMs: 1_000, maxMs: 30_000 };

/** One request to a device. Later ones have a higher number. */
export interface Ticket {
  readonly number: number;
  readonly place: OutputState;
  /** The alert whose action it starts or ends. */
  readonly alert: string;
  readonly action: AlertAction;
  /** By which of its names it is sent to. */
  readonly device: Named;
  /** `return`: a start in the place of an end; `again`: one that was not done, or perhaps not. */
  readonly kind: 'start' | 'end' | 'return' | 'again';
}

/** The answer to one action at one device when an alert is started: a request to send, or the alert that holds it back. */
export type Answer =
  | { readonly ticket: Ticket; readonly heldBy?: undefined }
  | { readonly heldBy: Alert; readonly ticket?: undefined };

/** The claim of an alert to have its action on at an output. */
export interface AlertClaim {
  readonly action: AlertAction;
  readonly device: Named;
  /** A later claim has a higher number: the actions of an alert are ended in reverse. */
  readonly order: number;
  /** Something else is there instead: another alert's start, or what its own alert wanted before it was held back. */
  isHeld: boolean;
  /** What came of its last start, where that was not a yes. */
  lack?: Lack | undefined;
  /** Somebody else has started or ended something there since its last start: it is not tried again. */
  isLeft?: boolean | undefined;
}

/** What keeps a start from being on. */
export type Lack = Exclude<SendResult, 'taken' | 'skipped'>;

/** A start that happened, or may have. */
export interface Started extends Pick<Ticket, 'number' | 'alert' | 'action' | 'device'> {
  /** When the device itself ends it, in epoch milliseconds. */
  readonly until?: number | undefined;
  /** It came in the place of an end. */
  readonly isReturn?: boolean | undefined;
  /** The alerts whose starts may be there in its stead, since it perhaps never happened. */
  readonly insteadOf?: readonly string[] | undefined;
}

/** What is to be sent next. */
export type Step = Pick<Ticket, 'alert' | 'action' | 'device' | 'kind'>;

/** Where what was begun by a name of a device is now; undefined where that is not known. */
export type WhereOf = (deviceId: string, was: string | undefined) => string | undefined;

/** What of a place goes somewhere. */
export interface Part {
  readonly place: OutputState;
  readonly where: string | undefined;
  /** Its alert wants it by another name from now on, wherever that is. */
  readonly isRenamed?: boolean;
}

/**
 * One subject of one device: which alerts want something there, and what of theirs may be on. A start whose answer was
 * lost, or that was under way when the process died, counts as done until it was ended. The end is owed by this output
 * and not by a node, so deploys and deleted nodes lose nothing. The output is found by the address of its device; each
 * claim and each start keeps the name that it came by, since an end needs the login of that name.
 */
export class OutputState {
  readonly claims = new Map<string, AlertClaim>();
  /** The last start of an alert that happened, or may have, and was not ended since. */
  on: Started | undefined;
  /** Requests on their way. */
  readonly underWay = new Set<Ticket>();
  /** How often what is owed was asked for in vain. */
  failures = 0;
  /** When it is asked for again, on the monotonic clock. */
  dueAt = Number.NEGATIVE_INFINITY;

  constructor(
    /** In the journal. */
    public key: string,
    public device: Named,
    readonly subject: string,
    readonly dryRun: boolean,
  ) {}

  get isEmpty(): boolean {
    return this.claims.size === 0 && !this.on && this.underWay.size === 0;
  }

  /**
   * The alerts whose starts may still be there and must not be: those that want nothing here any more, and any that a
   * start was to replace that came back. None where what is on can neither be sent again nor be ended and begun anew.
   */
  get lingering(): readonly string[] {
    const { action, insteadOf = [], isReturn } = this.on ?? {};
    if (!action?.repeatable && !action?.steady) return [];
    return insteadOf.filter((id) => isReturn || !this.claims.has(id));
  }

  /** Whether a start of this alert is on, or may be, or is on its way. */
  has(alertId: string): boolean {
    return (
      this.on?.alert === alertId ||
      [...this.underWay].some(({ alert, kind }) => alert === alertId && kind !== 'end')
    );
  }

  /** Whether a start of this alert is on at a time in epoch milliseconds: the device may have ended it by itself. */
  isOnFor(alertId: string, now: number): boolean {
    return this.on?.alert === alertId && (this.on.until ?? Number.POSITIVE_INFINITY) > now;
  }

  /**
   * The alert that the output belongs to: one in earnest before every drill, then the one of the highest priority, then
   * the one started last. An alert that the device refuses goes after all others.
   */
  owner(alerts: ReadonlyMap<string, Alert>): Alert | undefined {
    let owner: Alert | undefined;
    let isLast = false;
    for (const [id, { lack }] of this.claims) {
      const alert = alerts.get(id);
      const isRefused = lack === 'refused' && this.on?.alert !== id;
      if (!alert || (owner && (isRefused === isLast ? !isBefore(alert, owner) : isRefused))) continue;
      owner = alert;
      isLast = isRefused;
    }
    return owner;
  }

  /** What is owed here, once nothing is on its way; undefined when nothing is. */
  step(alerts: ReadonlyMap<string, Alert>): Step | undefined {
    const owner = this.owner(alerts);
    const claim = owner && this.claims.get(owner.id);
    const { on } = this;
    const [lingering] = this.lingering;
    const isSentAgain = lingering !== undefined && on?.alert === owner?.id && on?.action.repeatable;
    // What the device refuses replaces nothing: that has to be ended.
    if (owner && claim?.lack !== 'refused' && (claim?.isHeld || isSentAgain) && claim?.action.end)
      return { alert: owner.id, action: claim.action, device: claim.device, kind: 'return' };
    // What a person's own node put in its place is nobody's to end.
    if (on?.action.end) {
      const { alert, action, device } = on;
      if (!this.claims.has(alert)) return { alert, action, device, kind: 'end' };
      // What must not begin twice begins anew when whatever is there has ended.
      const isEndedFirst = action.steady || claim?.lack === 'refused';
      if (lingering !== undefined && isEndedFirst) return { alert: lingering, action, device, kind: 'end' };
    }
    if (!owner || !claim || !isTriedAgain(owner, claim)) return undefined;
    return { alert: owner.id, action: claim.action, device: claim.device, kind: 'again' };
  }

  /** What came of the last start of an alert. What was sent for an earlier wish of it does not count. */
  noteLack(
    { alert, action, number }: Pick<Ticket, 'alert' | 'action' | 'number'>,
    lack: Lack | undefined,
  ): void {
    const claim = this.claims.get(alert);
    if (!claim || !isSame(claim.action, action)) return;
    if (lack && this.on?.alert === alert && this.on.number > number) return;
    claim.lack = lack;
  }

  /** Somebody else has started or ended something here: nothing that failed is tried again. */
  leave(): void {
    this.on = undefined;
    for (const claim of this.claims.values()) claim.isLeft = true;
  }

  /**
   * A start happened, or may have.
   * @param isSure the device said so
   */
  noteStart(started: Started, isSure: boolean): void {
    const { number, alert, isReturn } = started;
    if (this.on && this.on.number > number) return;
    const before = !isSure && this.on?.action.end ? this.on : undefined;
    // Where what ends by itself may not have begun, what was there before may still be on, and has to be ended.
    const { action, device, until } = before && !started.action.end ? before : started;
    const others = before && new Set([...(before.insteadOf ?? []), before.alert]);
    const insteadOf = others && [...others].filter((id) => id !== alert);
    this.on = { number, alert, action, device, until, isReturn, insteadOf };
    for (const [id, claim] of this.claims) claim.isHeld = isStillHeld(id, claim, started);
  }

  /** An end was taken: only what was started later is still on. Anything else would be ended again and again. */
  noteEnd(number: number): void {
    const { on, lingering } = this;
    if (!on || on.number > number) return;
    this.on = undefined;
    const claim = this.claims.get(on.alert);
    if (claim && lingering.length > 0) claim.isHeld = true;
  }

  /** What is owed was asked for in vain. */
  askLater(now: number, random: number): void {
    this.dueAt = now + backoffMs(this.failures, backoff) * (1 - random / 2);
    this.failures += 1;
  }

  /** What is owed the next time is asked for without delay. */
  askAtOnce(): void {
    this.failures = 0;
    this.dueAt = Number.NEGATIVE_INFINITY;
  }

  /**
   * Where all of it is now, unless something is on its way. Names that led to one device may lead to several: what is on
   * goes with the name that it was started by, for its alert too, and what other alerts want with theirs.
   */
  apart(whereOf: WhereOf): Part[] {
    const { on, claims, subject, dryRun } = this;
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
      const part = new OutputState('', claim.device, subject, dryRun);
      part.claims.set(id, claim);
      return [{ place: part, where: other }];
    });
    return [{ place: this, where, isRenamed }, ...others];
  }

  /** Takes over what another place holds that turned out to be this one. */
  join(other: OutputState): void {
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
      // What is on its way decides that itself.
      if (![...this.underWay].some(({ alert }) => alert === id))
        claim.isHeld = isStillHeld(id, claim, this.on);
    }
  }
}

/**
 * Whether a start is not what an alert wants: it is another one's, or what it wanted before it was started anew and had
 * to give way. In a journal each action is there twice, and an older version kept less of it, so they are compared by what
 * is sent.
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

/** Whether an alert tries a start again that was not done, or perhaps not. */
export function isTriedAgain({ retryAlert = false }: Alert, { action, lack, isLeft }: AlertClaim): boolean {
  if (!lack || lack === 'impossible' || isLeft || !action.end) return false;
  const isMeant =
    action.retry === 'always' ? retryAlert !== false : action.retry === 'all' && retryAlert === 'all';
  return isMeant && (lack !== 'unknown' || action.repeatable);
}

function sent({ operation, parameters }: AlertAction): unknown {
  return [operation, parameters];
}

function isBefore(one: Alert, other: Alert): boolean {
  if (one.drill !== other.drill) return other.drill;
  return one.priority === other.priority ? one.order > other.order : one.priority > other.priority;
}
