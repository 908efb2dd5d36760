import { optional } from './flow';
import type { Planned } from './messages';
import { keyOf, specNamed } from './specs';

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
  /** In the order in which they were sent. */
  private readonly underWay = new Set<Planned>();
  private endedSoFar = 0;

  constructor(messages: readonly Planned[]) {
    this.rest = [...messages].reverse();
    for (const message of messages) this.places.set(message, placesOf(message));
  }

  get isOver(): boolean {
    return this.rest.length === 0 && this.held.length === 0 && this.underWay.size === 0;
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
    while (this.underWay.size < window && this.held.length < heldAtMost) {
      const message = this.rest.pop();
      if (!message) break;
      this.offer(message, mayGo, found);
    }
    return found;
  }

  /** A message has ended. */
  ended(message: Planned): void {
    this.endedSoFar += 1;
    const all = [...this.underWay];
    const earlier = all.slice(0, all.indexOf(message)).filter((one) => isAboutTheSame(one, message));
    this.underWay.delete(message);
    this.release(message, earlier, graceTurns);
  }

  /** A stop is sent once more after a start that it did not wait for: until then it can be taken for another. */
  private release(message: Planned, earlier: readonly Planned[], turns: number): void {
    const isLast = !earlier.some((one) => this.underWay.has(one));
    if (turns === 0) for (const place of this.placesOf(message)) this.taken.delete(place);
    else setTimeout(() => this.release(message, earlier, isLast ? turns - 1 : graceTurns), turnMs);
  }

  private placesOf(message: Planned): readonly string[] {
    return this.places.get(message) ?? [];
  }

  private offer(message: Planned, mayGo: (node: string) => boolean, found: Planned[]): void {
    const places = this.placesOf(message);
    const isFree = mayGo(message.node) && places.every((place) => !this.taken.has(place));
    if (!isFree || this.underWay.size >= window) {
      this.held.push(message);
      return;
    }
    for (const place of places) this.taken.add(place);
    this.underWay.add(message);
    found.push(message);
  }
}

/** The lines that a message needs for itself, at each of its devices. */
function placesOf({ spec, node, targets }: Planned): string[] {
  const keys = [keyOf(specNamed(spec)), optional[node]?.[1] === 'reloadAfter' ? reload : undefined];
  return targets.flatMap(({ device }) =>
    keys.flatMap((key) => (key === undefined || device === undefined ? [] : [`${device} ${key}`])),
  );
}

/** Whether two messages have a device output at one device in common. */
function isAboutTheSame(one: Planned, other: Planned): boolean {
  const { deviceOutput } = specNamed(one.spec);
  if (deviceOutput === undefined || deviceOutput !== specNamed(other.spec).deviceOutput) return false;
  return one.targets.some(({ device }) => other.targets.some((target) => target.device === device));
}
