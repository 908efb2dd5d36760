import { type JobMessage, type ResultMessage, receiptsFor } from './wire';

/** Outcomes after which something may be on. */
const mayBeOn = new Set(['accepted', 'confirmed', 'unknown']);

/** So much is remembered; the oldest is forgotten for what comes then. */
const mostKept = 10_000;

/** When, in the time of the centre that asked for it, and of which instances over all their lives. */
interface Start {
  readonly at: number;
  readonly place: string;
  readonly devices: readonly string[];
}

/** What alerts have started at the sites, as results tell: only who started it knows how to clear it. */
export class Started {
  readonly #starts = new Map<string, Start>();
  /** When which instances have cleared it last. */
  readonly #clears = new Map<string, Map<string, number>>();

  /** Results come in any order: a broker keeps them for who connects later. */
  note(site: string, { started, cleared, receipts }: ResultMessage): void {
    if (started) {
      const key = keyOf(site, started.alert);
      const at = Date.parse(started.at);
      const on = receipts.filter(({ outcome }) => mayBeOn.has(outcome));
      const devices = [...new Set(on.map(({ device }) => device))];
      const { place } = started;
      if (devices.length > 0 && isLater(at, this.#starts.get(key)?.at))
        keep(this.#starts, key, { at, place, devices });
    }
    if (cleared && !cleared.drill) {
      const key = keyOf(site, cleared.alert);
      const clears = this.#clears.get(key) ?? new Map<string, number>();
      keep(this.#clears, key, clears);
      const at = Date.parse(cleared.at);
      for (const place of cleared.places ?? []) if (isLater(at, clears.get(place))) keep(clears, place, at);
    }
  }

  /** The result of a clear, and what it has left on: who started that was not there. */
  withRest<R extends Omit<ResultMessage, 'instance'>>({ site, work }: JobMessage, result: R): R {
    const start = this.#leftOn(site, result);
    if (!start) return result;
    const words = `the instance of site "${site}" that started it is not there; it clears it when it is back`;
    const { devices } = start;
    const rest = receiptsFor({ work, devices }, 'unknown', 'ABORTED', words, result.at);
    return { ...result, receipts: [...result.receipts, ...rest] };
  }

  /** Whether who started what this result is to clear has not cleared it. */
  hasRest({ site }: JobMessage, result: ResultMessage): boolean {
    return this.#leftOn(site, result) !== undefined;
  }

  #leftOn(site: string, { cleared }: Omit<ResultMessage, 'instance'>): Start | undefined {
    if (!cleared || cleared.drill) return undefined;
    const key = keyOf(site, cleared.alert);
    const start = this.#starts.get(key);
    if (!start) return undefined;
    const clearedAt = this.#clears.get(key)?.get(start.place) ?? Number.NEGATIVE_INFINITY;
    return clearedAt < start.at ? start : undefined;
  }
}

function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > mostKept && oldest !== undefined) map.delete(oldest);
}

function isLater(at: number, known: number | undefined): boolean {
  return Number.isFinite(at) && (known === undefined || at >= known);
}

function keyOf(site: string, alert: string): string {
  return `${site}/${alert}`;
}
