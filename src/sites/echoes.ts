/** An echo that takes longer, in milliseconds: the link stalls, and neither end has noticed. */
const lateMs = 1_000;

/**
 * How old a message may be that comes from the broker now. A link that stalls keeps what was said meanwhile, and
 * delivers it later as if it were new; but a broker keeps the order, so nothing that comes is older than the last own
 * sign of life that came back before it.
 */
export class Echoes {
  #since = 0;
  /** When each sign of life was sent that has not come back; 0 is the subscription. */
  readonly #sent = new Map<number, number>();

  /** A new connection brings nothing that was said before its subscription was sent. */
  begin(subscribedAt: number): void {
    this.#since = subscribedAt;
    this.#sent.clear();
    this.#sent.set(0, subscribedAt);
  }

  sent(n: number, now: number): void {
    this.#sent.set(n, now);
  }

  /** The broker forgets none that came before this one, but may not have got it. */
  back(n: number): void {
    for (const [number, at] of this.#sent) {
      if (number > n) return;
      this.#since = at;
      this.#sent.delete(number);
    }
  }

  /** Milliseconds; 0 where the link is as quick as usual. */
  staleMs(now: number): number {
    const [oldest = now] = this.#sent.values();
    return now - oldest > lateMs ? now - this.#since : 0;
  }
}
