import type { JobMessage, ResultMessage } from './wire';

/** A job at a site, from the centre's side. */
export class Asked {
  /** It was given to the broker at least once. */
  isSent = false;
  /** It was asked before this process began, and is not published again. */
  isRecalled = false;
  /** The centre was connected from the first publication on. */
  stayed = true;
  claimed: string | undefined;
  /** Who lived when the connection was lost and no claim had been seen. */
  lived: readonly string[] = [];
  emptied: 'no' | 'sent' | 'back' = 'no';
  emptiedBackAt = 0;
  sentAt = 0;
  nextAt = 0;
  isAnswered = false;
  result: ResultMessage | undefined;

  constructor(
    readonly job: JobMessage,
    readonly until: number,
    readonly isSafe: boolean,
  ) {}

  get isForAll(): boolean {
    return 'alert' in this.job.work && this.job.work.action === 'clear';
  }

  /**
   * Whether an instance had it and was then not heard any more: cut off, it does without a claim what may be done
   * twice.
   * @param heardAt when each of the site's instances was heard last
   */
  mayBeCutOff(heardAt: Iterable<number>, latest: number): boolean {
    if (!this.isSafe) return false;
    const since = Math.min(this.emptiedBackAt, this.until, latest);
    return [...heardAt].some((at) => at > this.sentAt && at < since);
  }
}
