import { randomUUID } from 'node:crypto';
import type { Keeping } from '../journal/of-node-red';

/** What was numbered and not written any more when Node-RED was killed is less than this. */
const unwritten = 10_000;

const known = new WeakMap<Keeping, CentreOrder>();

/** The order of what all `algo-remote` nodes of a Node-RED ask: one centre, over all its lives. */
export function centreOrderOf(journal: Keeping): CentreOrder {
  const order = known.get(journal) ?? new CentreOrder(journal);
  known.set(journal, order);
  return order;
}

class CentreOrder {
  readonly #key = 'centre/order';
  readonly #centre: string;
  #last: number;

  constructor(private readonly journal: Keeping) {
    const [found] = [...journal.entries(this.#key)].map(([, value]) => value as Partial<Kept> | null);
    this.#centre = typeof found?.centre === 'string' ? found.centre : randomUUID();
    this.#last = Number.isSafeInteger(found?.last) ? Number(found?.last) + unwritten : 0;
  }

  /** The next number goes on from the last one, also where the clock was set back or the journal is lost. */
  next(): { readonly centre: string; readonly seq: number } {
    this.#last = Math.max(this.#last + 1, Date.now());
    const kept: Kept = { centre: this.#centre, last: this.#last };
    // Nobody waits for it: a start over goes on from far beyond what may not be written.
    this.journal.put(this.#key, { ...kept }).catch(() => {});
    return { centre: this.#centre, seq: this.#last };
  }
}

interface Kept {
  readonly centre: string;
  readonly last: number;
}
