import type { SiteAction, SiteOptions } from './actions';
import type { JobState } from './job-state';
import { mergeResults } from './merge-results';
import { heartbeatMs } from './peer-registry';
import { fitting } from './receipts';
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

/** Delay of an echo above which the link counts as stalled, in milliseconds. */
const lateMs = 1_000;

/**
 * Estimates the maximum age of messages from the broker, since a stalled link delivers old messages late. The
 * broker keeps the order: a message is never older than the last heartbeat that came back before the message.
 */
class Echoes {
  /** Time at which the last heartbeat that came back was sent; at first, the time of the subscription. */
  #since = 0;
  /**
   * Sending times of the heartbeats that have not come back, by number. Number 0 stands for the subscription.
   */
  readonly #sent = new Map<number, number>();

  /** Resets the estimate for a new connection, which delivers no messages from before its subscription. */
  begin(subscribedAt: number): void {
    this.#since = subscribedAt;
    this.#sent.clear();
    this.#sent.set(0, subscribedAt);
  }

  sent(n: number, now: number): void {
    this.#sent.set(n, now);
  }

  /**
   * Records a heartbeat that came back. Earlier heartbeats can no longer come back, since the broker keeps
   * the order.
   */
  back(n: number): void {
    for (const [number, at] of this.#sent) {
      if (number > n) return;
      this.#since = at;
      this.#sent.delete(number);
    }
  }

  /**
   * Returns the maximum age of a message that arrives now, in milliseconds; 0 while the link is not stalled.
   */
  staleMs(now: number): number {
    const [oldest = now] = this.#sent.values();
    return now - oldest > lateMs ? now - this.#since : 0;
  }
}

/**
 * Time for which the broker stores a claim after the expiry of its job, in seconds: if the claimant dies,
 * other instances need the claim.
 */
const claimOutlivesSeconds = 10;

/** Minimum time between the last heartbeat and a heartbeat that answers a new instance, in milliseconds. */
const answerPauseMs = 50;

export class Outbox {
  readonly echoes = new Echoes();
  nextHeartbeatAt = 0;
  #actions: SiteAction[] = [];
  #claims = 0;
  #beats = 0;
  #beatAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: SiteOptions) {}

  add(action: SiteAction): void {
    this.#actions.push(action);
  }

  take(): SiteAction[] {
    const actions = this.#actions;
    this.#actions = [];
    return actions;
  }

  /** @returns the number of the heartbeat */
  beat(now: number, ready: boolean, isLeaving = false): number {
    this.nextHeartbeatAt = now + heartbeatMs;
    this.#beatAt = now;
    this.#beats += 1;
    this.echoes.sent(this.#beats, now);
    const { instance, nodeId, rank } = this.options;
    const message: StateMessage = {
      v: 2,
      instance,
      nodeId,
      rank,
      seq: this.#beats,
      ready,
      ...(isLeaving && { leaving: true }),
    };
    this.add({ do: 'publish', kind: 'state', id: instance, message });
    return this.#beats;
  }

  /**
   * Answers a new instance with a heartbeat. Several new instances within `answerPauseMs` share one
   * heartbeat.
   */
  answerBeat(now: number): void {
    const at = this.#beatAt + answerPauseMs;
    if (now >= at) this.beat(now, true);
    else this.nextHeartbeatAt = Math.min(this.nextHeartbeatAt, at);
  }

  publishClaim(entry: JobState, now: number, connection: number, withPeers: boolean): void {
    this.#claims += 1;
    const { instance, nodeId } = this.options;
    const seq = this.#claims;
    entry.isClaimed = true;
    entry.sent = { seq, connection, at: now, withPeers };
    const message: ClaimMessage = { v: 2, instance, nodeId, seq };
    const expiry = Math.max(1, Math.ceil((entry.until - now) / 1_000)) + claimOutlivesSeconds;
    this.add({ do: 'publish', kind: 'claim', id: entry.id, message, expiry });
  }

  /**
   * Stores the result of this instance for a job. The method `result` publishes the stored result.
   * @param nodeId id of the node that did the job
   */
  answer(entry: JobState, receipts: readonly WireReceipt[], nodeId = this.options.nodeId): void {
    const { instance } = this.options;
    const at = this.options.now();
    entry.own = fitting<ResultMessage>({
      v: 2,
      instance,
      at,
      receipts,
      ...(entry.job && this.#ofAlert(entry.job, nodeId, receipts)),
    });
    this.add({ do: 'remember', id: entry.id, result: entry.own });
  }

  #ofAlert(
    { command, at, centre, seq }: JobMessage,
    nodeId: string,
    receipts: readonly WireReceipt[],
  ): Pick<ResultMessage, 'doneBy' | 'cleared' | 'started'> | undefined {
    if (!('alert' in command) || command.action === 'acknowledge') return undefined;
    const { alert, drill } = command;
    const order = { ...(centre !== undefined && { centre }), ...(seq !== undefined && { seq }) };
    if (command.action === 'start') {
      // The drill can also come from the node of the alert.
      const isDrill = drill === true || receipts.some((receipt) => receipt.drill === true);
      return { started: { alert, at, nodeId, ...(isDrill && { drill: true }), ...order } };
    }
    // A receipt of the whole clear, and not of a stop, shows that the alert is still on.
    const isLeft = ({ operation, outcome }: WireReceipt) =>
      operation === 'alert/clear' && ['failed', 'expired', 'superseded'].includes(outcome);
    const isDone = !receipts.some(isLeft);
    const cleared = { alert, at, nodeIds: isDone ? [nodeId] : [], ...(drill && { drill }), ...order };
    return { doneBy: [this.options.instance], cleared };
  }

  /**
   * Publishes the result of this instance. For a clear, the message includes the results of the other
   * instances.
   */
  result({ id, own, result, job, askedAt }: JobState, now: number): void {
    if (!own) return;
    const merged = mergeResults(result, own);
    const { cleared, started } = merged;
    // Receivers compare ages instead of times, since clocks differ.
    const ago = Math.max(0, Math.round(now - askedAt));
    const message = job
      ? {
          ...merged,
          ...(cleared && { cleared: { ...cleared, ago } }),
          ...(started && { started: { ...started, ago } }),
        }
      : merged;
    const expiry = cleared || started ? clearLastsSeconds : resultLastsSeconds;
    this.add({ do: 'publish', kind: 'result', id, message: fitting(message), expiry });
  }

  /**
   * Removes a rejected job from the broker and logs the reason.
   * @param job the job if only its expiry is missing; undefined if the job is invalid
   * @param isReported whether this instance also reports the rejection to the centre
   */
  refuse(id: string, job: JobMessage | undefined, isReported: boolean): void {
    const reason = job
      ? 'it has no expiry, for example because a bridge is not set to MQTT 5'
      : 'it is not a valid job';
    this.add({ do: 'refused', id, reason });
    this.add({ do: 'publish', kind: 'job', id });
    if (!isReported) return;
    const { instance, site } = this.options;
    const at = this.options.now();
    const { command = { operation: 'job/read', parameters: {} }, devices = [] } = job ?? {};
    const words = { reason, details: [`site "${site}" does not do it`, 'nothing was sent'] };
    const code = job ? 'PROTOCOL' : 'INVALID_PARAMETER';
    const message: ResultMessage = {
      v: 2,
      instance,
      at,
      receipts: receiptsFor({ command, devices }, 'failed', code, words, at),
    };
    this.add({ do: 'publish', kind: 'result', id, message, expiry: resultLastsSeconds });
  }

  answerSuperseded(entry: JobState, job: JobMessage): void {
    const words = { reason: 'a later request overrides it', details: ['nothing was sent'] };
    this.answer(entry, receiptsFor(job, 'superseded', 'SUPERSEDED', words, this.options.now()));
  }

  /**
   * Stores a result with the outcome `unknown`: another instance, or an earlier run of this node, might have
   * done the job.
   */
  answerUnknown(entry: JobState, job: JobMessage): void {
    const details = [`the site is "${this.options.site}"`, 'it might have been done'];
    const words = { reason: 'the instance that had claimed it went offline', details };
    const receipts = receiptsFor(job, 'unknown', 'ABORTED', words, this.options.now());
    this.answer(entry, receipts, entry.lastClaim?.nodeId);
  }
}
