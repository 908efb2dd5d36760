import type { Alert, Deed, Wish } from './alert';

/** One request to a device. Later ones have a higher number. */
export interface Ticket {
  readonly number: number;
  readonly place: Place;
  /** The alert whose deed it starts or ends. */
  readonly alert: string;
  readonly deed: Deed;
  /** `return`: a start in the place of an end. */
  readonly kind: 'start' | 'end' | 'return';
}

/** What becomes of one deed at one device when an alert is started. */
export type Answer =
  | { readonly ticket: Ticket; readonly heldBy?: undefined }
  | { readonly heldBy: Alert; readonly ticket?: undefined };

/** That an alert wants its deed on at a place. */
export interface Claim {
  readonly deed: Deed;
  /** Later ones have a higher one: an alert's deeds are ended in reverse. */
  readonly order: number;
  /** Another alert's start is there instead, or was there last. */
  isHeld: boolean;
}

/** A start that happened, or may have. */
export interface Started extends Pick<Ticket, 'number' | 'alert' | 'deed'> {
  /** The alert whose start may still be there, since this one came in place of its end and perhaps not at all. */
  readonly insteadOf?: string;
}

/** What is to be sent next. */
export type Step = Pick<Ticket, 'alert' | 'deed' | 'kind'>;

/** One subject of one device: which alerts want something there, and what of theirs may be on. */
export class Place {
  readonly claims = new Map<string, Claim>();
  /** The last start of an alert that happened, or may have, and was not ended since. */
  on: Started | undefined;
  /** Requests on their way. */
  readonly underWay = new Set<Ticket>();
  /** How often what is owed was asked for in vain. */
  failures = 0;
  /** When it is asked for again, on the monotonic clock. */
  dueAt = Number.NEGATIVE_INFINITY;

  constructor(
    readonly key: string,
    readonly device: Wish['device'],
    readonly subject: string,
    readonly rehearsal: boolean,
  ) {}

  get isEmpty(): boolean {
    return this.claims.size === 0 && !this.on && this.underWay.size === 0;
  }

  /** Whether a start of this alert is on, or may be, or is on its way. */
  has(alertId: string): boolean {
    return (
      this.on?.alert === alertId ||
      [...this.underWay].some(({ alert, kind }) => alert === alertId && kind !== 'end')
    );
  }

  /** Whom it belongs to: the most severe alert that is on here, among equals the one that was started last. */
  owner(alerts: ReadonlyMap<string, Alert>): Alert | undefined {
    let owner: Alert | undefined;
    for (const id of this.claims.keys()) {
      const alert = alerts.get(id);
      if (alert && (!owner || isBefore(alert, owner))) owner = alert;
    }
    return owner;
  }

  /** What is owed here, once nothing is on its way; undefined when nothing is. */
  step(alerts: ReadonlyMap<string, Alert>): Step | undefined {
    const owner = this.owner(alerts);
    const claim = owner && this.claims.get(owner.id);
    const comesBack = this.on?.alert === owner?.id ? this.on?.insteadOf !== undefined : claim?.isHeld;
    if (owner && comesBack && claim?.deed.end) return { alert: owner.id, deed: claim.deed, kind: 'return' };
    // What a person's own node put in its place, and what another alert still wants, is nobody's to end.
    if (!this.on?.deed.end || this.claims.has(this.on.alert)) return undefined;
    return { alert: this.on.alert, deed: this.on.deed, kind: 'end' };
  }

  /**
   * A start happened, or may have.
   * @param isSure the device said so
   */
  noteStart({ number, alert, deed }: Started, isSure: boolean): void {
    if (this.on && this.on.number > number) return;
    // Where what ends by itself may not have begun, what was there before may still be on, and has to be ended.
    const lasting = isSure || deed.end || !this.on ? deed : this.on.deed;
    this.on = { number, alert, deed: lasting };
    for (const [id, claim] of this.claims) claim.isHeld = id !== alert;
  }

  /** A start in the place of an end may have happened; it is asked for again, where that does no harm. */
  noteReturn(started: Started): void {
    const before = this.on;
    this.noteStart(started, false);
    if (!before || this.on === before || !started.deed.repeatable) return;
    const insteadOf = before.alert === started.alert ? before.insteadOf : before.alert;
    if (this.on && insteadOf !== undefined) this.on = { ...this.on, insteadOf };
  }
}

function isBefore(one: Alert, other: Alert): boolean {
  return one.severity === other.severity ? one.order > other.order : one.severity > other.severity;
}
