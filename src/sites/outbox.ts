import type { SiteAction, SiteOptions } from './actions';
import type { JobState } from './job-state';
import { beatMs } from './peer-registry';
import { fitting } from './receipts';
import { together } from './together';
import {
  type ClaimMessage,
  clearLastsSeconds,
  type JobMessage,
  type ResultMessage,
  receiptsFor,
  resultLastsSeconds,
  type StateMessage,
  type WireReceipt,
} from './wire';

/** An echo that takes longer, in milliseconds: the link stalls, and neither end has noticed. */
const lateMs = 1_000;

/**
 * How old a message may be that comes from the broker now. A link that stalls keeps what was said meanwhile, and
 * delivers it later as if it were new; but a broker keeps the order, so nothing that comes is older than the last own
 * sign of life that came back before it.
 */
class Echoes {
  #since = 0;
  /** When each sign of life was sent that has not come back; 0 is the subscription. */
  readonly #sent = new Map<number, number>();

  /** A new connection brings nothing that was said before its subscription was sent. */
  begin(subscribedAt: number): void {
    this.#since = subscribedAt;
    this.#sent.clear();
    this.#sent.set(0, subscribedAt);
  }

  sent(n: number, now: number): void {
    this.#sent.set(n, now);
  }

  /** The broker forgets none that came before this one, but may not have got it. */
  back(n: number): void {
    for (const [number, at] of this.#sent) {
      if (number > n) return;
      this.#since = at;
      this.#sent.delete(number);
    }
  }

  /** Milliseconds; 0 where the link is as quick as usual. */
  staleMs(now: number): number {
    const [oldest = now] = this.#sent.values();
    return now - oldest > lateMs ? now - this.#since : 0;
  }
}

/** A claim stays so much longer than its job, in seconds: whoever finds its claimant dead has to see it. */
const claimOutlivesSeconds = 10;

/** Between two signs of life for who has come, in milliseconds. */
const answerPauseMs = 50;

/** What one instance of a site says, and what it asks to be done. */
export class Outbox {
  readonly echoes = new Echoes();
  nextBeat = 0;
  #actions: SiteAction[] = [];
  #claims = 0;
  #beats = 0;
  #beatAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: SiteOptions) {}

  say(action: SiteAction): void {
    this.#actions.push(action);
  }

  /** All that was said since the last time. */
  take(): SiteAction[] {
    const actions = this.#actions;
    this.#actions = [];
    return actions;
  }

  /** @returns its number */
  beat(now: number, ready: boolean, isLeaving = false): number {
    this.nextBeat = now + beatMs;
    this.#beatAt = now;
    this.#beats += 1;
    this.echoes.sent(this.#beats, now);
    const { instance, place, rank } = this.options;
    const message: StateMessage = {
      v: 1,
      instance,
      place,
      rank,
      n: this.#beats,
      ready,
      ...(isLeaving && { leaving: true }),
    };
    this.say({ do: 'publish', kind: 'state', id: instance, message });
    return this.#beats;
  }

  /** For one who has come: at once, but for a flood of them not more often than they have to be told. */
  answerBeat(now: number): void {
    const at = this.#beatAt + answerPauseMs;
    if (now >= at) this.beat(now, true);
    else this.nextBeat = Math.min(this.nextBeat, at);
  }

  claim(entry: JobState, now: number, connection: number, inCompany: boolean): void {
    this.#claims += 1;
    const { instance, place } = this.options;
    const n = this.#claims;
    entry.isClaimed = true;
    entry.sent = { n, connection, at: now, inCompany };
    const message: ClaimMessage = { v: 1, instance, place, n };
    const expiry = Math.max(1, Math.ceil((entry.until - now) / 1_000)) + claimOutlivesSeconds;
    this.say({ do: 'publish', kind: 'claim', id: entry.id, message, expiry });
  }

  /**
   * The answer, to be kept and told.
   * @param place of the instance that did it
   */
  answer(entry: JobState, receipts: readonly WireReceipt[], place = this.options.place): void {
    const { instance } = this.options;
    const at = this.options.now();
    entry.own = fitting<ResultMessage>({
      v: 1,
      instance,
      at,
      receipts,
      ...(entry.job && this.#ofAlert(entry.job, place)),
    });
    this.say({ do: 'remember', id: entry.id, result: entry.own });
  }

  /** What stands in whose journal from now on, or stands there no more. */
  #ofAlert(
    { work, at, centre, seq }: JobMessage,
    place: string,
  ): Pick<ResultMessage, 'by' | 'cleared' | 'started'> | undefined {
    if (!('alert' in work)) return undefined;
    const { alert, drill } = work;
    const order = { ...(centre !== undefined && { centre }), ...(seq !== undefined && { seq }) };
    if (work.action === 'start') return { started: { alert, at, place, ...order } };
    const cleared = { alert, at, places: [place], ...(drill && { drill }), ...order };
    return { by: [this.options.instance], cleared };
  }

  /** With what others have said of it, where it is for all. */
  result({ id, own, result, job, askedAt }: JobState, now: number): void {
    if (!own) return;
    const said = together(result, own);
    const { cleared, started } = said;
    // Clocks differ: how long ago it was asked tells what was started since.
    const ago = Math.max(0, Math.round(now - askedAt));
    const message = job
      ? {
          ...said,
          ...(cleared && { cleared: { ...cleared, ago } }),
          ...(started && { started: { ...started, ago } }),
        }
      : said;
    const expiry = cleared || started ? clearLastsSeconds : resultLastsSeconds;
    this.say({ do: 'publish', kind: 'result', id, message: fitting(message), expiry });
  }

  /**
   * What is not done is taken off the broker, and the centre told why.
   * @param job where it could be read: then it came without an expiry
   */
  refuse(id: string, job: JobMessage | undefined, tells: boolean): void {
    const reason = job
      ? 'it came without an expiry, as through a bridge that is not set to MQTT 5'
      : 'it is not what a job has to be';
    this.say({ do: 'refused', id, reason });
    this.say({ do: 'publish', kind: 'job', id });
    if (!tells) return;
    const { instance, site } = this.options;
    const at = this.options.now();
    const { work = { noun: 'job', operation: 'read', parameters: {} }, devices = [] } = job ?? {};
    const words = `site "${site}" does not do it, since ${reason}; nothing was sent`;
    const code = job ? 'PROTOCOL' : 'INVALID_PARAMETER';
    const message: ResultMessage = {
      v: 1,
      instance,
      at,
      receipts: receiptsFor({ work, devices }, 'failed', code, words, at),
    };
    this.say({ do: 'publish', kind: 'result', id, message, expiry: resultLastsSeconds });
  }

  /** What was asked later was begun. */
  superseded(entry: JobState, job: JobMessage): void {
    const words = 'what was asked after it went before it; nothing was sent';
    this.answer(entry, receiptsFor(job, 'superseded', 'SUPERSEDED', words, this.options.now()));
  }

  /** Somebody who is dead may have done it, and nobody does it again. */
  lost(entry: JobState, job: JobMessage): void {
    const words = `the instance of site "${this.options.site}" that had claimed it died; it may have been done`;
    const receipts = receiptsFor(job, 'unknown', 'ABORTED', words, this.options.now());
    this.answer(entry, receipts, entry.lastClaim?.place);
  }
}
