const minuteMs = 60_000;

export class AnswerCache<T> {
  private readonly answers = new Map<string, { readonly at: number; readonly answer: Promise<T> }>();

  /**
   * @param isGood whether an answer stays in the cache; after a failure, the next request might succeed
   * @param now returns the current time in epoch milliseconds
   */
  constructor(
    private readonly isGood: (answer: T) => boolean,
    private readonly now: () => number = Date.now,
  ) {}

  /** @param isFresh whether to ignore a cached answer */
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
