import { type Clock, realClock } from '../../kernel/time/clock';
import { Throttle } from '../../kernel/time/throttle';

/**
 * A log that limits the number of lines, since anyone can flood a broker with messages: at most `maxLines` in each
 * period of `pauseMs` milliseconds. The lines above the limit are counted, and the last of them ends the period.
 */
export class RateLimitedLog {
  #written = 0;
  #left = 0;
  #last = '';
  readonly #throttle: Throttle;

  constructor(
    private readonly write: (line: string) => void,
    private readonly maxLines: number,
    pauseMs: number,
    clock: Pick<Clock, 'monotonic' | 'after'> = realClock,
  ) {
    this.#throttle = new Throttle(() => this.#begin(), pauseMs, clock);
  }

  log(line: string): void {
    this.#throttle.soon();
    if (this.#written < this.maxLines) {
      this.#written += 1;
      this.write(line);
    } else {
      this.#left += 1;
      this.#last = line;
    }
  }

  close(): void {
    this.#throttle.clear();
    this.#begin();
  }

  #begin(): void {
    const left = this.#left;
    this.#written = Math.min(left, 1);
    this.#left = 0;
    if (left === 0) return;
    const rest = left > 1 ? `; ${left - 1} more lines of this kind before it were left out` : '';
    this.write(`${this.#last}${rest}`);
  }
}
