import type { IgnoreReason } from '../../sites/signing';
import { type Clock, realClock } from '../../time/clock';
import { Throttle } from '../../time/throttle';

/** Maximum number of lines that are logged individually in each period of `pauseMs` milliseconds. */
const maxLines = 20;
const pauseMs = 10_000;

/**
 * A log that limits the number of lines, since anyone can flood a broker with messages. Lines above the limit
 * are counted and reported together.
 */
export class RateLimitedLog {
  #written = 0;
  #left = 0;
  #last = '';
  readonly #throttle: Throttle;

  constructor(
    private readonly write: (line: string) => void,
    clock: Pick<Clock, 'monotonic' | 'after'> = realClock,
  ) {
    this.#throttle = new Throttle(() => this.#begin(), pauseMs, clock);
  }

  log(line: string): void {
    this.#throttle.soon();
    this.#written += 1;
    if (this.#written <= maxLines) {
      this.write(line);
      return;
    }
    this.#left += 1;
    this.#last = line;
  }

  close(): void {
    this.#throttle.clear();
    this.#begin();
  }

  #begin(): void {
    const [left, last] = [this.#left, this.#last];
    this.#written = 0;
    this.#left = 0;
    this.#last = '';
    if (left > 0) this.write(`${left} more lines of this kind were left out; the last line: ${last}`);
  }
}

const unsaidPauseMs = 60_000;

const reasons: Record<Exclude<IgnoreReason, 'twice'>, string> = {
  unsigned: 'it is not signed',
  wrong: 'its signature does not match this key, its topic or its content',
  old: 'it expired more than an hour ago by the clock of this machine',
  ahead: 'the clock of the signer is more than an hour ahead of the clock of this machine',
  repeated: 'it was received before',
};

/**
 * A log of ignored messages, except messages with the reason `twice`. The first message is logged
 * immediately, further messages in at most one line a minute.
 */
export class IgnoredLog {
  #count = 0;
  #last = '';
  readonly #throttle: Throttle;

  constructor(
    private readonly write: (line: string) => void,
    clock: Pick<Clock, 'monotonic' | 'after'> = realClock,
  ) {
    this.#throttle = new Throttle(() => this.#notify(), unsaidPauseMs, clock);
  }

  record(topic: string, reason: IgnoreReason): void {
    if (reason === 'twice') return;
    this.#count += 1;
    this.#last = `${JSON.stringify(topic.slice(0, 300))}: ${reasons[reason]}`;
    this.#throttle.soon();
  }

  close(): void {
    this.#throttle.clear();
    if (this.#count > 0) this.#notify();
  }

  #notify(): void {
    const [count, last] = [this.#count, this.#last];
    this.#count = 0;
    const rest = count > 1 ? `; ${count - 1} more before it` : '';
    this.write(`a message was ignored: ${last}${rest}`);
  }
}
