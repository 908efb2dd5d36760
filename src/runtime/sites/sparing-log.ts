import { type Clock, realClock } from '../../time/clock';
import { Throttle } from '../../time/throttle';

/** So many lines are said one by one in one pause, in milliseconds. */
const most = 20;
const pauseMs = 10_000;

/** A log that whoever floods a broker cannot flood: what is too much is counted, and said in one line. */
export class SparingLog {
  #said = 0;
  #left = 0;
  #last = '';
  readonly #seldom: Throttle;

  constructor(
    private readonly write: (line: string) => void,
    clock: Pick<Clock, 'monotonic' | 'after'> = realClock,
  ) {
    this.#seldom = new Throttle(() => this.#begin(), pauseMs, clock);
  }

  say(line: string): void {
    this.#seldom.soon();
    this.#said += 1;
    if (this.#said <= most) {
      this.write(line);
      return;
    }
    this.#left += 1;
    this.#last = line;
  }

  /** Says what was left out. */
  close(): void {
    this.#seldom.clear();
    this.#begin();
  }

  #begin(): void {
    const [left, last] = [this.#left, this.#last];
    this.#said = 0;
    this.#left = 0;
    this.#last = '';
    if (left > 0) this.write(`${left} more lines like these were left out; the last of them: ${last}`);
  }
}
