import type { Publish } from './actions';
import { Asked } from './asked';
import { deadAfterMs } from './roster';
import {
  type JobMessage,
  type ResultMessage,
  readMessage,
  receiptsFor,
  resultLastsSeconds,
  type Topic,
} from './wire';

/** A job is published again so often until its result is there, in milliseconds. */
const againMs = 5_000;

/** So long after a job's time its result is waited for, in milliseconds. */
export const graceMs = 3_000;

export interface Asking {
  readonly job: JobMessage;
  readonly ttlMs: number;
  /** It may be done twice: a site that is cut off does it without a claim. */
  readonly isSafe: boolean;
}

/** What became of a job at a site. */
export interface Verdict {
  readonly id: string;
  readonly site: string;
  readonly result: Omit<ResultMessage, 'instance'> & { readonly instance?: string };
}

export type CentreAction =
  | (Publish & { readonly site: string })
  /** This is what became of it. */
  | ({ readonly do: 'answer' } & Verdict)
  /** This came after the answer. */
  | ({ readonly do: 'late' } & Verdict);

/**
 * The centre (docs/contract.md 2.8): puts one job per site on the broker, keeps it there until its result is there or
 * its time is over, and says what became of it. Sends nothing itself; all times are of a clock that never jumps.
 */
export class Centre {
  /** By site and id, as in the topic. */
  readonly #asked = new Map<string, Asked>();
  readonly #waiting = new Set<Asked>();
  /** By site: when each instance was heard. */
  readonly #seen = new Map<string, Map<string, number>>();
  #isConnected = false;
  #actions: CentreAction[] = [];

  /** @param now ISO 8601 */
  constructor(private readonly options: { now(): string }) {}

  /** Every site that was heard. */
  get sites(): readonly string[] {
    return [...this.#seen.keys()].sort();
  }

  /** When to tick next, while something is waited for. */
  wakeAt(now: number): number {
    let next = Number.POSITIVE_INFINITY;
    for (const asked of this.#waiting) {
      const { until, nextAt } = asked;
      next = Math.min(next, now < until ? Math.min(until, nextAt || until) : until + graceMs);
    }
    return Math.max(now + 1, next);
  }

  ask(now: number, { job, ttlMs, isSafe }: Asking): CentreAction[] {
    const asked = new Asked(job, now + ttlMs, isSafe);
    this.#asked.set(keyOf(job), asked);
    this.#waiting.add(asked);
    this.#publish(asked, now);
    return this.#take();
  }

  /** What was asked before this process began: its results are late, whatever they are. */
  recall(now: number, job: JobMessage, leftMs: number, isSafe: boolean): void {
    const asked = new Asked(job, now + leftMs, isSafe);
    asked.isSent = true;
    asked.stayed = false;
    asked.isRecalled = true;
    this.#asked.set(keyOf(job), asked);
    this.#waiting.add(asked);
  }

  /** Everything is subscribed to. */
  connected(now: number): CentreAction[] {
    this.#isConnected = true;
    for (const asked of this.#waiting) this.#publish(asked, now);
    for (const asked of this.#asked.values()) if (asked.emptied === 'sent') this.#empty(asked);
    return this.#take();
  }

  disconnected(now: number): CentreAction[] {
    this.#isConnected = false;
    for (const asked of this.#waiting) {
      if (!asked.isSent) continue;
      asked.stayed = false;
      if (asked.claimed === undefined)
        asked.lived = [...new Set([...asked.lived, ...this.#living(asked.job.site, now)])];
    }
    return this.#take();
  }

  message(now: number, { site, kind, id }: Topic, payload: Uint8Array | string): CentreAction[] {
    if (kind === 'state') this.#heard(site, payload, now);
    const asked = this.#asked.get(`${site}/${id}`);
    if (!asked) return this.#take();
    if (payload.length === 0) {
      if (kind === 'job' && asked.emptied === 'sent') {
        asked.emptied = 'back';
        asked.emptiedBackAt = now;
      }
    } else if (kind === 'claim') asked.claimed ??= readMessage('claim', payload)?.instance;
    else if (kind === 'result') this.#result(asked, readMessage('result', payload), now);
    return this.#take();
  }

  /** The broker does not take a job. */
  refused(site: string, id: string, words: string): CentreAction[] {
    const asked = this.#asked.get(`${site}/${id}`);
    if (asked && !asked.isAnswered && !asked.claimed) {
      this.#conclude(
        asked,
        'failed',
        'REFUSED',
        `the broker does not take it (${words}): see what it lets the centre write`,
      );
    }
    return this.#take();
  }

  tick(now: number): CentreAction[] {
    for (const asked of this.#waiting) {
      if (now >= asked.until && asked.emptied === 'no' && asked.isSent) this.#empty(asked);
      else if (now >= asked.nextAt) this.#publish(asked, now);
      if (now >= asked.until + graceMs) this.#judge(asked, now);
    }
    for (const [key, { until, isAnswered }] of this.#asked) {
      if (isAnswered && now > until + resultLastsSeconds * 1_000) this.#asked.delete(key);
    }
    return this.#take();
  }

  #publish(asked: Asked, now: number): void {
    const { job, until, claimed, lived, isAnswered, isRecalled } = asked;
    asked.nextAt = now + againMs;
    if (!this.#isConnected || isAnswered || isRecalled || now >= until) return;
    if (!asked.isSent) asked.sentAt = now;
    asked.isSent = true;
    const { id, site } = job;
    const message = { ...job, ...(claimed !== undefined && { claimed }), ...(lived.length > 0 && { lived }) };
    const expiry = Math.max(1, Math.ceil((until - now) / 1_000));
    this.#actions.push({ do: 'publish', kind: 'job', site, id, message, expiry });
  }

  /** A site that comes late is to find nothing. */
  #empty(asked: Asked): void {
    asked.emptied = 'sent';
    if (!this.#isConnected) return;
    const { id, site } = asked.job;
    this.#actions.push({ do: 'publish', kind: 'job', site, id });
  }

  #heard(site: string, payload: Uint8Array | string, now: number): void {
    const state = readMessage('state', payload);
    if (!state) return;
    const instances = this.#seen.get(site) ?? new Map<string, number>();
    this.#seen.set(site, instances);
    if (state.leaving) instances.delete(state.instance);
    else instances.set(state.instance, now);
    for (const [instance, at] of instances)
      if (now - at > resultLastsSeconds * 1_000) instances.delete(instance);
  }

  #result(asked: Asked, result: ResultMessage | undefined, now: number): void {
    if (!result) return;
    const { job } = asked;
    const isSame = asked.result?.at === result.at && asked.result.instance === result.instance;
    asked.result = result;
    if (asked.isAnswered) {
      if (!isSame) this.#actions.push({ do: 'late', id: job.id, site: job.site, result });
      return;
    }
    const { by = [] } = result;
    // What goes to all is answered when all that live have done it.
    const isWhole = !asked.isForAll || this.#living(job.site, now).every((instance) => by.includes(instance));
    if (isWhole) this.#answer(asked, result);
  }

  #living(site: string, now: number): string[] {
    const heard = [...(this.#seen.get(site) ?? [])].filter(([, at]) => now - at < deadAfterMs);
    return heard.map(([instance]) => instance);
  }

  #answer(asked: Asked, result: Verdict['result']): void {
    const { id, site } = asked.job;
    asked.isAnswered = true;
    this.#waiting.delete(asked);
    if (asked.emptied === 'no' && asked.isSent) this.#empty(asked);
    this.#actions.push({ do: 'answer', id, site, result });
  }

  /** Its time is over, and there is no answer. */
  #judge(asked: Asked, now: number): void {
    if (asked.result) {
      this.#answer(asked, asked.result);
      return;
    }
    const { claimed, emptied, isSent, stayed } = asked;
    const name = `site "${asked.job.site}"`;
    if (!isSent) {
      this.#conclude(
        asked,
        'failed',
        'UNREACHABLE',
        `${name} was not asked: there was no connection to the broker; nothing was sent`,
      );
    } else if (
      claimed === undefined &&
      emptied === 'back' &&
      stayed &&
      !asked.mayBeCutOff(this.#seen.get(asked.job.site)?.values() ?? [], now - graceMs)
    ) {
      this.#conclude(asked, 'expired', 'EXPIRED', `${name} did not take it in time; nothing was sent`);
    } else {
      this.#conclude(asked, 'unknown', 'TIMEOUT', `${name} gave no answer in time; it may have been done`);
    }
  }

  #conclude(asked: Asked, outcome: string, code: string, words: string): void {
    const at = this.options.now();
    this.#answer(asked, { v: 1, at, receipts: receiptsFor(asked.job, outcome, code, words, at) });
  }

  #take(): CentreAction[] {
    const actions = this.#actions;
    this.#actions = [];
    return actions;
  }
}

function keyOf({ site, id }: Pick<JobMessage, 'site' | 'id'>): string {
  return `${site}/${id}`;
}
