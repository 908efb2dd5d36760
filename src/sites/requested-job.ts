import { deadAfterMs } from './peer-registry';
import { together, toldBy } from './together';
import { type JobMessage, maxMessageBytes, type ResultMessage } from './wire';

/** What results of one job have told is remembered up to so many characters; what comes then is no news. */
const maxTold = 4 * maxMessageBytes;

/** A job at a site, from the centre's side. */
export class RequestedJob {
  /** It was given to the broker at least once. */
  isSent = false;
  /** It was asked before this process began, and is not published again. */
  isRecalled = false;
  /** The centre was connected from the first publication on. */
  stayed = true;
  claimed: string | undefined;
  /** The instances that might have claimed the job when the connection was lost and no claim had been seen. */
  lived: readonly string[] = [];
  /**
   * The instances that can claim a job which must not be done twice: the claim of another one could be forgotten
   * unseen.
   */
  #heard: readonly string[] = [];
  /** The broker has refused the job once: nothing of it is published again, since some brokers disconnect for it. */
  isRefused = false;
  emptied: 'no' | 'sent' | 'back' = 'no';
  emptiedBackAt = 0;
  sentAt = 0;
  nextAt = 0;
  isAnswered = false;
  result: ResultMessage | undefined;
  /** What results have told. */
  readonly #told = new Set<string>();
  #toldLength = 0;

  constructor(
    public job: JobMessage,
    private readonly askedAt: number,
    readonly until: number,
    /** It may be done twice; undefined where only the site knows. */
    readonly isSafe: boolean | undefined,
  ) {}

  get isForAll(): boolean {
    return 'alert' in this.job.work && this.job.work.action === 'clear';
  }

  /**
   * What goes over the broker.
   * @param expiry in seconds
   */
  message(now: number, expiry: number): JobMessage {
    const { job, claimed, lived, isSafe, askedAt } = this;
    return {
      ...job,
      ago: Math.max(0, Math.round(now - askedAt)),
      expiry,
      ...(claimed !== undefined && { claimed }),
      ...(lived.length > 0 && { lived }),
      ...(isSafe !== true && { heard: this.#heard }),
    };
  }

  /** @param living who was heard of late at its site */
  name(living: readonly string[]): void {
    if (this.isSafe !== true) this.#heard = [...new Set([...this.#heard, ...living])];
  }

  /** From now on the broker may have forgotten what was not seen. */
  disconnected(): void {
    this.stayed = false;
    if (this.claimed === undefined) this.lived = this.#heard;
  }

  /** Whether a result tells more than those before it. */
  isNews(result: ResultMessage): boolean {
    const news = toldBy(result).filter((one) => !this.#told.has(one));
    for (const one of news) {
      this.#toldLength += one.length;
      if (this.#toldLength > maxTold) return false;
      this.#told.add(one);
    }
    return news.length > 0;
  }

  /** Keeps a result, with what others have said of the job before. */
  add(result: ResultMessage): ResultMessage {
    this.result = together(this.result, result);
    return this.result;
  }

  /** It is answered. Kept for an hour, it is to weigh little. */
  shed(): void {
    const { job } = this;
    this.isAnswered = true;
    this.result = undefined;
    this.#heard = [];
    if (!('alert' in job.work)) this.job = { ...job, work: { ...job.work, parameters: {} } };
  }

  /**
   * What is said of it when its time is over and there is no result.
   * @param heardAt when each of the site's instances was heard last
   * @param latest what was heard since does not tell whether it was cut off before
   */
  judge(heardAt: Iterable<number>, latest: number): { outcome: string; code: string; words: string } {
    const name = `site "${this.job.site}"`;
    if (!this.isSent) {
      const words = `${name} was not asked: there was no connection to the broker; nothing was sent`;
      return { outcome: 'failed', code: 'UNREACHABLE', words };
    }
    const isSure = this.claimed === undefined && this.emptied === 'back' && this.stayed;
    if (isSure && !this.#mayBeCutOff(heardAt, latest)) {
      const words = `${name} did not take it in time; nothing was sent`;
      return { outcome: 'expired', code: 'EXPIRED', words };
    }
    const words = `${name} gave no answer in time; it may have been done`;
    return { outcome: 'unknown', code: 'TIMEOUT', words };
  }

  /** Whether an instance had it and was then not heard any more: cut off, it does what is safe without a claim. */
  #mayBeCutOff(heardAt: Iterable<number>, latest: number): boolean {
    if (this.isSafe === false) return false;
    const since = Math.min(this.emptiedBackAt, this.until, latest);
    return [...heardAt].some((at) => at > this.sentAt - deadAfterMs && at < since);
  }
}
