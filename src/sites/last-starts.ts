import type { RequestAge } from './actions';
import { mayComeOn } from './receipts';
import { clearLastsSeconds, type ResultMessage, resultLastsSeconds } from './wire';

const maxAlerts = 10_000;

/** The time of a request in milliseconds on the monotonic clock; with centre and sequence number if known. */
export interface RequestTime {
  readonly at: number;
  readonly centre?: string | undefined;
  readonly seq?: number | undefined;
}

interface Start extends RequestTime {
  readonly id: string;
}

/**
 * The last start of each alert by any instance of the site, separately for drills, according to the results. All
 * instances share the devices, so a late clear of an older start would end the newer start.
 */
export class LastStarts {
  readonly #last = new Map<string, Start>();

  constructor(private readonly isEarnest: (alert: string) => boolean) {}

  /**
   * @param expiry seconds for which the broker still stores the result
   * @returns the id of a start whose result is no longer needed; undefined if there is none
   */
  record(id: string, result: ResultMessage, now: number, expiry: number): string | undefined {
    const { started, receipts } = result;
    if (!started || !receipts.some(mayComeOn)) return undefined;
    const { centre, seq, ago = 0 } = started;
    const alert = keyOf(started.alert, started.drill === true);
    const keptMs = Math.max(0, clearLastsSeconds - expiry) * 1_000;
    const start = { id, at: now - ago - keptMs, centre, seq };
    const known = this.#last.get(alert);
    const isLast = !known || known.id === id || isAfter(start, known);
    if (isLast) this.#last.set(alert, start);
    const [oldest] = this.#last.keys();
    if (this.#last.size > maxAlerts && oldest !== undefined) this.#last.delete(oldest);
    const earlier = isLast ? known : start;
    if (!earlier || earlier.id === this.#last.get(alert)?.id) return undefined;
    return now - earlier.at > resultLastsSeconds * 1_000 ? earlier.id : undefined;
  }

  /** Whether the alert was started after a clear. If it is on in earnest at this instance, drills do not count. */
  isAfter(alert: string, { agoMs, centre, seq }: RequestAge, now: number): boolean {
    return (this.isEarnest(alert) ? [false] : [false, true]).some((isDrill) => {
      const start = this.#last.get(keyOf(alert, isDrill));
      return start !== undefined && isAfter(start, { at: now - agoMs, centre, seq });
    });
  }
}

const keyOf = (alert: string, isDrill: boolean) => `${isDrill} ${alert}`;

/**
 * Whether `one` was requested later than `other`: by sequence number if both have one from the same centre,
 * otherwise by time.
 */
export function isAfter(one: RequestTime, other: RequestTime): boolean {
  const isOfOne = one.centre !== undefined && one.centre === other.centre;
  if (isOfOne && one.seq !== undefined && other.seq !== undefined) return one.seq > other.seq;
  return one.at > other.at;
}
