import { deadAfterMs } from './peer-registry';
import { together, toldBy } from './together';
import { type JobMessage, maxMessageBytes, type ResultMessage } from './wire';

/**
 * Maximum length of the remembered receipts of one job, in characters; further results do not count as news.
 */
const maxTold = 4 * maxMessageBytes;

/** A job at a site from the view of the centre. */
export class RequestedJob {
  /** Whether the job was published at least once. */
  isSent = false;
  /** Whether the job was requested before this process started; such a job is not published again. */
  isRecalled = false;
  /** Whether the centre has been connected since the first publication. */
  stayed = true;
  claimed: string | undefined;
  /** The instances that might have claimed the job when the connection was lost without a known claim. */
  maybeClaimedBy: readonly string[] = [];
  /**
   * The instances that may claim a job which is not idempotent. A claim of another instance could be
   * forgotten without the centre's knowledge.
   */
  #eligible: readonly string[] = [];
  /**
   * Whether the broker rejected the job. The job is then not published again, since some brokers disconnect
   * for it.
   */
  isRefused = false;
  emptied: 'no' | 'sent' | 'back' = 'no';
  emptiedBackAt = 0;
  sentAt = 0;
  nextAt = 0;
  isAnswered = false;
  result: ResultMessage | undefined;
  /** The contents of earlier results. */
  readonly #told = new Set<string>();
  #toldLength = 0;

  constructor(
    public job: JobMessage,
    private readonly askedAt: number,
    readonly until: number,
    /** Whether the job is idempotent; undefined if only the site knows. */
    readonly isSafe: boolean | undefined,
  ) {}

  get isForAll(): boolean {
    return 'alert' in this.job.command && this.job.command.action === 'clear';
  }

  /**
   * Returns the job in the form that is published.
   * @param expiry in seconds
   */
  message(now: number, expiry: number): JobMessage {
    const { job, claimed, maybeClaimedBy, isSafe, askedAt } = this;
    return {
      ...job,
      ago: Math.max(0, Math.round(now - askedAt)),
      expiry,
      ...(claimed !== undefined && { claimed }),
      ...(maybeClaimedBy.length > 0 && { maybeClaimedBy }),
      ...(isSafe !== true && { eligible: this.#eligible }),
    };
  }

  /**
   * Adds possible claimants.
   * @param living the live instances of the site
   */
  name(living: readonly string[]): void {
    if (this.isSafe !== true) this.#eligible = [...new Set([...this.#eligible, ...living])];
  }

  /** Records a disconnection, in which the broker might forget a claim that the centre has not seen. */
  disconnected(): void {
    this.stayed = false;
    if (this.claimed === undefined) this.maybeClaimedBy = this.#eligible;
  }

  /** Whether a result contains more than the earlier ones. */
  isNews(result: ResultMessage): boolean {
    const news = toldBy(result).filter((one) => !this.#told.has(one));
    for (const one of news) {
      this.#toldLength += one.length;
      if (this.#toldLength > maxTold) return false;
      this.#told.add(one);
    }
    return news.length > 0;
  }

  /** Merges a result with earlier ones. */
  add(result: ResultMessage): ResultMessage {
    this.result = together(this.result, result);
    return this.result;
  }

  /** Marks the job as answered and reduces its size, since it is kept for an hour. */
  shed(): void {
    const { job } = this;
    this.isAnswered = true;
    this.result = undefined;
    this.#eligible = [];
    if (!('alert' in job.command)) this.job = { ...job, command: { ...job.command, parameters: {} } };
  }

  /**
   * Returns the outcome of an expired job without a result.
   * @param heardAt time of the last heartbeat of each instance
   * @param latest heartbeats after this time do not show whether an instance was disconnected before
   */
  judge(heardAt: Iterable<number>, latest: number): { outcome: string; code: string; words: string } {
    const name = `site "${this.job.site}"`;
    if (!this.isSent) {
      const words = `${name} received no request: the broker was not connected; nothing was sent`;
      return { outcome: 'failed', code: 'UNREACHABLE', words };
    }
    const isSure = this.claimed === undefined && this.emptied === 'back' && this.stayed;
    if (isSure && !this.#mayBeCutOff(heardAt, latest)) {
      const words = `${name} did not accept it in time; nothing was sent`;
      return { outcome: 'expired', code: 'EXPIRED', words };
    }
    const words = `${name} did not respond in time; it might have been done`;
    return { outcome: 'unknown', code: 'TIMEOUT', words };
  }

  /**
   * Whether an instance received the job and was then disconnected: such an instance does an idempotent job
   * without a claim.
   */
  #mayBeCutOff(heardAt: Iterable<number>, latest: number): boolean {
    if (this.isSafe === false) return false;
    const since = Math.min(this.emptiedBackAt, this.until, latest);
    return [...heardAt].some((at) => at > this.sentAt - deadAfterMs && at < since);
  }
}
