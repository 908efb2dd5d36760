import { contentsOf, mergeResults } from './merge-results';
import { deadAfterMs } from './peer-registry';
import { type ErrorWords, type JobMessage, maxMessageBytes, type ResultMessage } from './wire';

/**
 * Maximum total length of the texts that `isNews` stores for one job, in characters. Beyond the limit,
 * results do not count as news.
 */
const maxReportedLength = 4 * maxMessageBytes;

export class RequestedJob {
  isSent = false;
  /** Whether an earlier run of Node-RED requested the job, so that the job is not published again. */
  isRecalled = false;
  /**
   * Whether the centre has stayed connected since the first publication; false for a job of an earlier run.
   */
  stayedConnected = true;
  /** The instance whose claim the centre saw first; undefined if there is no claim. */
  claimed: string | undefined;
  /**
   * Whether a claim or a result of the job was ignored, for example because it is not signed: an instance without the
   * key might have run the job.
   */
  isDoubted = false;
  /**
   * The instances that might have claimed the job; empty unless the connection was lost before a claim was
   * known.
   */
  maybeClaimedBy: readonly string[] = [];
  /**
   * The instances that the centre has heard since the publication of a job that is not idempotent. Only these
   * instances may claim a signed job (`eligible`).
   */
  #possibleClaimants: readonly string[] = [];
  /**
   * Whether the broker rejected the job or its removal. The centre then publishes nothing more about the job,
   * since some brokers close the connection after a forbidden message.
   */
  isRefused = false;
  /** State of the job's removal from the broker: not sent, sent, or confirmed by the echo of the removal. */
  removal: 'no' | 'sent' | 'back' = 'no';
  removalConfirmedAt = 0;
  sentAt = 0;
  nextAt = 0;
  isAnswered = false;
  result: ResultMessage | undefined;
  /** The contents of earlier results, by which `isNews` detects repetitions. */
  readonly #reported = new Set<string>();
  #reportedLength = 0;

  constructor(
    public job: JobMessage,
    private readonly askedAt: number,
    readonly until: number,
    /** Whether the job is idempotent; undefined if only the site knows. */
    readonly isIdempotent: boolean | undefined,
  ) {}

  get isForAll(): boolean {
    return 'alert' in this.job.command && this.job.command.action === 'clear';
  }

  /** @param expiry expiry of the message, in seconds */
  message(now: number, expiry: number, isSigned: boolean): JobMessage {
    const { job, claimed, maybeClaimedBy, isIdempotent, askedAt } = this;
    return {
      ...job,
      ago: Math.max(0, Math.round(now - askedAt)),
      expiry,
      ...(claimed !== undefined && { claimed }),
      ...(maybeClaimedBy.length > 0 && { maybeClaimedBy }),
      ...(isSigned && isIdempotent !== true && { eligible: this.#possibleClaimants }),
    };
  }

  addPossibleClaimants(living: readonly string[]): void {
    if (this.isIdempotent !== true)
      this.#possibleClaimants = [...new Set([...this.#possibleClaimants, ...living])];
  }

  /**
   * Records a disconnection. The centre can miss a claim while disconnected, so every possible claimant might
   * have claimed the job.
   */
  disconnected(): void {
    this.stayedConnected = false;
    if (this.claimed === undefined) this.maybeClaimedBy = this.#possibleClaimants;
  }

  /**
   * Whether a result contains anything new, compared with earlier results. Stores the contents of the result
   * for later calls.
   */
  isNews(result: ResultMessage): boolean {
    const news = contentsOf(result).filter((one) => !this.#reported.has(one));
    for (const one of news) {
      this.#reportedLength += one.length;
      if (this.#reportedLength > maxReportedLength) return false;
      this.#reported.add(one);
    }
    return news.length > 0;
  }

  add(result: ResultMessage): ResultMessage {
    this.result = mergeResults(this.result, result);
    return this.result;
  }

  /**
   * Also removes the large parts of the job, since an answered job stays in memory (see
   * `resultLastsSeconds`).
   */
  markAnswered(): void {
    const { job } = this;
    this.isAnswered = true;
    this.result = undefined;
    this.#possibleClaimants = [];
    this.job = withoutParameters(job);
  }

  /**
   * Returns the outcome of an expired job without a result.
   * @param heardAt time of the last heartbeat of each instance, in milliseconds on the monotonic clock
   * @param latest time after which each connected instance has sent a heartbeat, on the same clock
   */
  judge(heardAt: Iterable<number>, latest: number): { outcome: string; code: string; words: ErrorWords } {
    const site = `the site is "${this.job.site}"`;
    if (!this.isSent) {
      const words = { reason: 'the broker was not connected', details: [site, 'nothing was sent'] };
      return { outcome: 'failed', code: 'UNREACHABLE', words };
    }
    const isUnclaimed = this.claimed === undefined && !this.isDoubted;
    const isSure = isUnclaimed && this.removal === 'back' && this.stayedConnected;
    if (isSure && !this.#mayBeCutOff(heardAt, latest)) {
      const words = { reason: 'the site did not accept it in time', details: [site, 'nothing was sent'] };
      return { outcome: 'expired', code: 'EXPIRED', words };
    }
    const words = { reason: 'the site did not respond in time', details: [site, 'it might have been done'] };
    return { outcome: 'unknown', code: 'TIMEOUT', words };
  }

  /**
   * Whether an instance might have received the job and then lost its connection. Such an instance does an
   * idempotent job even without a claim. False for a job that is known not to be idempotent.
   */
  #mayBeCutOff(heardAt: Iterable<number>, latest: number): boolean {
    if (this.isIdempotent === false) return false;
    const since = Math.min(this.removalConfirmedAt, this.until, latest);
    return [...heardAt].some((at) => at > this.sentAt - deadAfterMs && at < since);
  }
}

/** Returns a job without the parameters of its operation, which can be large. */
export function withoutParameters(job: JobMessage): JobMessage {
  return 'alert' in job.command ? job : { ...job, command: { ...job.command, parameters: {} } };
}
