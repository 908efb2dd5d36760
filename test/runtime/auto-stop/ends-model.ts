/** An end that is to come, as the contract sees it: which one, and when it is due (monotonic, milliseconds). */
export interface Due {
  readonly id: number;
  readonly at: number;
  /** Where a crash left open when it was answered: due at the latest. */
  readonly by: number;
  readonly afterMs: number;
}

const day = 24 * 3_600_000;
/** "With backoff to 30 s", and what a timer may be late. */
const longestPause = 30_000;

/**
 * `endAfter` at one device output of one device, as a judge: it is told what happens, and says what should not have, or
 * should. Written from the contract (docs/contract.md 2.5), and knows nothing of how it is done.
 */
export class EndsModel {
  pending: Due | undefined;
  /** An end is under way: which. */
  asking: number | undefined;
  /** Starts that wait or are under way, in the order in which they were armed; undefined is not armed. */
  readonly #starts = new Map<number, Due | undefined>();
  #askedAt = Number.NEGATIVE_INFINITY;
  #freeSince = Number.NEGATIVE_INFINITY;
  #firstAsked: number | undefined;
  /** What a crash may find: what counts now, and what counted before, as long as that may not be written over. */
  #found: { readonly due: Due | undefined; readonly step: number }[] = [{ due: undefined, step: 0 }];
  #step = 0;

  startWaits(start: number): void {
    this.#starts.set(start, undefined);
  }

  /** It is about to be sent. Returns what is written when the promise of that says so. */
  startIsArmed(start: number, afterMs: number, now: number): number {
    this.#starts.delete(start);
    this.#starts.set(start, { id: start, at: now + afterMs, by: now + afterMs, afterMs });
    this.#note();
    return this.#step;
  }

  /** "A later start of the same thing replaces the pending end (also by none)"; one that was not done does not. */
  startEnded(start: number, happened: boolean, now: number): number {
    const armed = this.#starts.get(start);
    this.#starts.delete(start);
    this.#freeSince = now;
    if (happened) this.#becomes(armed && { ...armed, at: now + armed.afterMs, by: now + armed.afterMs });
    this.#note();
    return this.#step;
  }

  /** "A stop by any node cancels it." */
  stopSucceeded(): number {
    this.#becomes(undefined);
    this.#note();
    return this.#step;
  }

  /** Everything that was told up to a step is written through. */
  isWritten(step = this.#step): void {
    this.#found = this.#found.filter((one) => one.step >= step);
  }

  /** Node-RED asks the device to end it. Returns what is wrong with that. */
  isAsked(id: number, now: number): string | undefined {
    if (this.asking !== undefined) return 'it is being asked already';
    this.asking = id;
    this.#firstAsked ??= now;
    if (this.pending?.id !== id) return `${this.pending?.id ?? 'nothing'} is pending`;
    if (this.#starts.size > 0) return 'a start of it waits';
    return now < this.pending.at - 1 ? `it is due at ${this.pending.at}` : undefined;
  }

  answered(id: number, done: boolean, now: number): void {
    if (this.asking === id) this.asking = undefined;
    if (this.pending?.id === id) this.#askedAt = now;
    if (done && this.pending?.id === id) this.#becomes(undefined);
    if (done) this.#note();
  }

  /** Node-RED gives an end up. Returns what is wrong with that. */
  isGivenUp(id: number, now: number): string | undefined {
    const wrong =
      this.pending?.id === id && now - (this.#firstAsked ?? now) >= day ? undefined : 'it is too early';
    this.#becomes(undefined);
    this.#note();
    return wrong;
  }

  /**
   * A crash, and the next start. "A restart ends what should have ended": nothing later than the record says, nor
   * than its own time from now on.
   * @param found the id of what it took up
   * @param wallJump how much the wall clock went ahead (or back) meanwhile beside the time that passed
   */
  restarts(found: number | undefined, now: number, wallJump: number): string | undefined {
    const candidates = this.#found.map(({ due }) => due);
    const taken = candidates.filter((due): due is Due => due !== undefined && due.id === found);
    const asRecorded = taken.map((due) => ({ ...due, at: due.at - wallJump, by: due.by - wallJump }));
    const own = asRecorded.map((due) => ({
      ...due,
      at: Math.min(due.at, now + due.afterMs),
      by: Math.min(due.by, now + due.afterMs),
    }));
    this.asking = undefined;
    this.#starts.clear();
    this.#becomes(spanned(own));
    // What it makes of the record is to be written in its turn: another crash may find the record as it was.
    this.#found = [{ due: spanned(asRecorded), step: this.#step }];
    this.#note();
    const isKnown = candidates.some((due) => due?.id === found);
    return isKnown ? undefined : `it took up ${found}, not one of ${candidates.map((due) => due?.id)}`;
  }

  /** What should have been asked for by now. @param since when ends have been sent at all */
  overdue(now: number, since: number, lateMs: number): string | undefined {
    if (!this.pending || this.#starts.size > 0 || this.asking !== undefined) return undefined;
    const latest = Math.max(this.pending.by, since, this.#freeSince, this.#askedAt + longestPause);
    return now > latest + lateMs ? `${this.pending.id} should have been asked for by ${latest}` : undefined;
  }

  #becomes(pending: Due | undefined): void {
    this.#askedAt = Number.NEGATIVE_INFINITY;
    this.#firstAsked = undefined;
    this.pending = pending;
  }

  /** What counts if the process dies now: "an armed start that was not answered counts as happened". */
  #counts(): Due | undefined {
    return [...this.#starts.values()].findLast((armed) => armed !== undefined) ?? this.pending;
  }

  #note(): void {
    this.#step += 1;
    this.#found.push({ due: this.#counts(), step: this.#step });
  }
}

/** One that is due between the first and the last of some. */
function spanned(dues: readonly Due[]): Due | undefined {
  const [first] = dues;
  return (
    first && {
      ...first,
      at: Math.min(...dues.map(({ at }) => at)),
      by: Math.max(...dues.map(({ by }) => by)),
    }
  );
}
