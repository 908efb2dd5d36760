import type { FoundDevice } from '../answers';
import { type AddressRange, addressesIn } from './range';

/** So many addresses are asked at a time, and so many connections are open. */
const mostAtOnce = 50;

export interface SearchOptions {
  /** Asks one address; never rejects. */
  readonly look: (
    address: string,
    port: number | undefined,
    signal: AbortSignal,
  ) => Promise<FoundDevice | undefined>;
  readonly signal: AbortSignal;
  /** Told after each address. */
  readonly onAsked: (found: FoundDevice | undefined) => void;
}

/** Asks all addresses of a range. Resolves when all were asked, or none is asked any more after the signal. */
export async function search(range: AddressRange, { look, signal, onAsked }: SearchOptions): Promise<void> {
  const waiting = addressesIn(range);
  const work = async () => {
    for (let next = waiting.next(); !next.done && !signal.aborted; next = waiting.next()) {
      const found = await look(next.value, range.port, signal);
      if (!signal.aborted) onAsked(found);
    }
  };
  await Promise.all(Array.from({ length: mostAtOnce }, work));
}
