const minuteMs = 60_000;

/** Answers by question, each of which counts for a minute. */
export class AnswerCache<T> {
  private readonly answers = new Map<string, { readonly at: number; readonly answer: Promise<T> }>();

  /**
   * @param isGood whether an answer is kept: what went wrong may go well the next time
   * @param now milliseconds
   */
  constructor(
    private readonly isGood: (answer: T) => boolean,
    private readonly now: () => number = Date.now,
  ) {}

  /** @param isFresh whether what was said before does not count */
  get(question: string, isFresh: boolean, ask: () => Promise<T>): Promise<T> {
    const before = this.answers.get(question);
    if (before && !isFresh && this.now() - before.at < minuteMs) return before.answer;
    const kept = { at: this.now(), answer: ask() };
    this.answers.set(question, kept);
    const forget = () => {
      if (this.answers.get(question) === kept) this.answers.delete(question);
    };
    kept.answer.then((answer) => this.isGood(answer) || forget(), forget);
    return kept.answer;
  }
}
