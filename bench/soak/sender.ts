import { deedOf, keyOf } from './deeds';
import { optional } from './flow';
import type { Planned } from './messages';

/** Messages under way at once. */
const window = 300;

/** How many wait at most for another that would look like them; then all wait. */
const heldAtMost = 200;

/**
 * After an end, how many turns of so many milliseconds until a message that looks the same on the wire may follow:
 * in each of them devices read what has come, however busy they are.
 */
const graceTurns = 6;
const turnMs = 50;

const reload = 'POST /api/controls/reload ';

/**
 * Decides what is sent next. Of those whose requests do not name their message, only one is under way at a device,
 * so that each request can be told from all others.
 */
export class Sender {
  private readonly rest: Planned[];
  private held: Planned[] = [];
  private readonly taken = new Set<string>();
  private readonly places = new Map<Planned, readonly string[]>();
  private underWay = 0;
  private endedSoFar = 0;

  constructor(messages: readonly Planned[]) {
    this.rest = [...messages].reverse();
    for (const message of messages) this.places.set(message, placesOf(message));
  }

  get isOver(): boolean {
    return this.rest.length === 0 && this.held.length === 0 && this.underWay === 0;
  }

  /** How many have ended. */
  get ends(): number {
    return this.endedSoFar;
  }

  /** What may be sent now. @param mayGo whether a node can be sent to */
  next(mayGo: (node: string) => boolean): Planned[] {
    const found: Planned[] = [];
    const waiting = this.held;
    this.held = [];
    for (const message of waiting) this.offer(message, mayGo, found);
    while (this.underWay < window && this.held.length < heldAtMost) {
      const message = this.rest.pop();
      if (!message) break;
      this.offer(message, mayGo, found);
    }
    return found;
  }

  /** A message has ended. */
  ended(message: Planned): void {
    this.underWay -= 1;
    this.endedSoFar += 1;
    this.release(message, graceTurns);
  }

  private release(message: Planned, turns: number): void {
    if (turns > 0) setTimeout(() => this.release(message, turns - 1), turnMs);
    else for (const place of this.placesOf(message)) this.taken.delete(place);
  }

  private placesOf(message: Planned): readonly string[] {
    return this.places.get(message) ?? [];
  }

  private offer(message: Planned, mayGo: (node: string) => boolean, found: Planned[]): void {
    const places = this.placesOf(message);
    const isFree = mayGo(message.node) && places.every((place) => !this.taken.has(place));
    if (!isFree || this.underWay >= window) {
      this.held.push(message);
      return;
    }
    for (const place of places) this.taken.add(place);
    this.underWay += 1;
    found.push(message);
  }
}

/** The lines that a message needs for itself, at each of its devices. */
function placesOf({ deed, node, targets }: Planned): string[] {
  const keys = [keyOf(deedOf(deed)), optional[node]?.[1] === 'reloadAfter' ? reload : undefined];
  return targets.flatMap(({ device }) =>
    keys.flatMap((key) => (key === undefined || device === undefined ? [] : [`${device} ${key}`])),
  );
}
