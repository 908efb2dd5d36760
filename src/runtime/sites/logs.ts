import type { Unsaid } from '../../sites/signing';
import { type Clock, realClock } from '../../time/clock';
import { Throttle } from '../../time/throttle';

/** So many lines are said one by one in one pause, in milliseconds. */
const maxLines = 20;
const pauseMs = 10_000;

/** A log that whoever floods a broker cannot flood: what is too much is counted, and said in one line. */
export class RateLimitedLog {
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
    if (this.#said <= maxLines) {
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

const unsaidPauseMs = 60_000;

const reasons: Record<Exclude<Unsaid, 'twice'>, string> = {
  unsigned: 'it is not signed',
  wrong: 'its signature is not of this key, or of another topic or content',
  old: 'it is older than its time and an hour, by this clock',
  ahead: 'the clock of who signed it is more than an hour ahead of this one',
  repeated: 'it was said before',
};

/** Tells what counts as not said: one line at once, and no more than one a minute for all that comes then. */
export class UnsaidLog {
  #count = 0;
  #last = '';
  readonly #seldom: Throttle;

  constructor(
    private readonly write: (line: string) => void,
    clock: Pick<Clock, 'monotonic' | 'after'> = realClock,
  ) {
    this.#seldom = new Throttle(() => this.#tell(), unsaidPauseMs, clock);
  }

  note(topic: string, reason: Unsaid): void {
    if (reason === 'twice') return;
    this.#count += 1;
    this.#last = `${JSON.stringify(topic.slice(0, 300))}: ${reasons[reason]}`;
    this.#seldom.soon();
  }

  /** Says what was not told yet. */
  close(): void {
    this.#seldom.clear();
    if (this.#count > 0) this.#tell();
  }

  #tell(): void {
    const [count, last] = [this.#count, this.#last];
    this.#count = 0;
    const rest = count > 1 ? `; ${count - 1} more before it` : '';
    this.write(`a message counts as not said: ${last}${rest}`);
  }
}
