import type { Incoming, SiteAction, SiteOptions } from './actions';
import { resolveLostEcho, whose, winnerOf } from './election';
import type { Entry } from './entry';
import { Jobs } from './jobs';
import { beatMs, Roster } from './roster';
import { Voice } from './voice';
import {
  type ClaimMessage,
  type JobMessage,
  type ResultMessage,
  readMessage,
  type StateMessage,
  type WireReceipt,
} from './wire';

/** Between the ranks, in milliseconds. */
const rankMs = 100;

/** So long the echo of a claim is waited for by what may be done twice, in milliseconds. */
const echoMs = 1_500;

/** While something waits, it is looked at so often, in milliseconds. */
const lookMs = 50;

/** A tick that comes so much too late, in milliseconds: the process stood still. */
const stallMs = 1_000;

/**
 * One instance of a site (docs/contract.md 2.8): a job is done once, by one of the instances. Nothing in here sends
 * or waits; whoever holds it tells it what happened, and does what it says. All times are of a clock that never
 * jumps.
 */
export class Site {
  readonly roster: Roster;
  readonly #voice: Voice;
  readonly #jobs: Jobs;
  readonly #remembered: ReadonlyMap<string, ResultMessage | null>;
  readonly #self: string;
  #connection = 0;
  #isConnected = false;
  /** All that was said before this sign of life has come when it comes back. */
  #syncsAt = Number.POSITIVE_INFINITY;
  #isReady = false;
  /** What is read before that may be so old, in milliseconds. */
  #staleMs = 0;
  #lastTick: number | undefined;

  constructor(private readonly options: SiteOptions) {
    this.roster = new Roster(options);
    this.#voice = new Voice(options);
    this.#jobs = new Jobs(this.#voice);
    this.#remembered = new Map(options.remembered ?? []);
    this.#self = options.instance;
  }

  /** The broker does what this instance asks: its own signs of life come back. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** When to tick next. */
  wakeAt(now: number): number {
    const next = Math.min(this.#voice.nextBeat, this.roster.nextDeath(now));
    return Math.max(now + 1, this.#jobs.open.size > 0 ? Math.min(next, now + lookMs) : next);
  }

  /** Everything is subscribed to. */
  connected(now: number): SiteAction[] {
    this.#connection += 1;
    this.#isConnected = true;
    this.roster.reconnect(now);
    this.#jobs.reconnect();
    this.#sync(now);
    return this.#voice.take();
  }

  disconnected(now: number): SiteAction[] {
    this.#isConnected = false;
    this.#isReady = false;
    for (const entry of this.#jobs.open) {
      if (entry.phase === 'claiming' && !entry.isSafe) this.#jobs.takeBack(entry);
    }
    this.#look(now);
    return this.#voice.take();
  }

  message(now: number, incoming: Incoming): SiteAction[] {
    this.#noteStall(now);
    const { kind, id, payload } = incoming;
    if (payload.length === 0) this.#cleared(incoming, now);
    else if (kind === 'job') this.#job(incoming, now);
    else if (kind === 'state') this.#state(readMessage('state', payload), now);
    else if (kind === 'claim') this.#claim(id, readMessage('claim', payload), now);
    else this.#result(id, readMessage('result', payload), now);
    return this.#voice.take();
  }

  tick(now: number): SiteAction[] {
    this.#noteStall(now);
    this.#lastTick = now;
    if (now >= this.#voice.nextBeat) {
      if (this.#isConnected) this.#voice.beat(now, this.#isReady);
      else this.#voice.nextBeat = now + beatMs;
      this.roster.prune(now);
      this.#jobs.prune(now);
    }
    this.#look(now);
    return this.#voice.take();
  }

  /** The turn of a job came at one of its devices: may it be written? */
  turn(now: number, id: string): SiteAction[] {
    this.#noteStall(now);
    const entry = this.#jobs.find(id);
    if (entry?.phase !== 'begun') return this.#voice.take();
    if (now >= entry.until) this.#voice.say({ do: 'refuse', id });
    else if (entry.isForAll || winnerOf(entry, this.roster, now) === this.#self) this.#jobs.admit(entry);
    else if (this.#isReady || entry.isSafe) this.#sendClaim(entry, now);
    else this.#jobs.takeBack(entry);
    return this.#voice.take();
  }

  /** What was begun has ended at all its devices. */
  finished(now: number, id: string, receipts: readonly WireReceipt[]): SiteAction[] {
    const entry = this.#jobs.find(id);
    if (entry && (entry.isRevocable || entry.phase === 'admitted')) {
      this.#voice.answer(entry, receipts);
      this.#jobs.answered(entry, now, this.#isConnected);
    }
    return this.#voice.take();
  }

  /** A good-bye, so that the next one does not have to wait. */
  leave(now: number): SiteAction[] {
    if (this.#isConnected) this.#voice.beat(now, this.#isReady, true);
    return this.#voice.take();
  }

  #job({ id, payload, expiry }: Incoming, now: number): void {
    const job = readMessage('job', payload);
    if (expiry === undefined) return this.#refuse(id, job, now);
    if (!job || job.id !== id || job.site !== this.options.site) return this.#refuse(id, undefined, now);
    const entry = this.#jobs.at(id, now);
    const staleMs = this.#isReady ? 0 : this.#staleMs;
    entry.isHeld = true;
    entry.until = Math.min(entry.until, now + expiry * 1_000 - staleMs);
    const { claimed, lived = [] } = job;
    entry.toHear = [...new Set([...entry.toHear, ...lived])];
    for (const instance of lived) this.roster.mention(now, instance, '');
    if (claimed !== undefined && claimed !== this.#self && entry.claims.length === 0) {
      entry.noteClaim(claimed);
      this.roster.mention(now, claimed, '');
    }
    if (!entry.job) this.#begin(entry, job, now);
    else if (entry.own && !entry.isAnswered && this.#isReady) this.#voice.result(entry);
    if (entry.phase === 'late' && now < entry.until) entry.phase = 'waiting';
    if (entry.phase === 'waiting') this.#jobs.open.add(entry);
    this.#consider(entry, now);
  }

  #begin(entry: Entry, job: JobMessage, now: number): void {
    entry.job = job;
    entry.isSafe = this.options.isSafe(job.work);
    entry.startsAt = now + this.options.rank * rankMs;
    const known = this.#remembered.get(entry.id);
    if (known === undefined || entry.result || (known === null && entry.isSafe)) return;
    // An earlier life has done it, or may have.
    if (known) entry.own = known;
    else this.#voice.lost(entry, job);
    this.#jobs.answered(entry, now, this.#isConnected);
  }

  /** @param job where it could be read: then it came without an expiry */
  #refuse(id: string, job: JobMessage | undefined, now: number): void {
    const reason = job
      ? 'it came without an expiry, as through a bridge that is not set to MQTT 5'
      : 'it is not what a job has to be';
    this.#voice.refuse(id, reason);
    if (this.#jobs.find(id)?.job || this.roster.hasLower(now)) return;
    this.#voice.refusal(id, job, reason);
  }

  #state(state: StateMessage | undefined, now: number): void {
    if (!state) return;
    if (state.instance === this.#self) {
      if (!this.#isReady && this.#isConnected && state.n >= this.#syncsAt) this.#ready(now);
      return;
    }
    const isNew = this.roster.hear(now, state);
    if (isNew && this.#isReady) this.#voice.beat(now, true);
    this.#look(now);
  }

  #sync(now: number): void {
    this.#isReady = false;
    this.#syncsAt = this.#voice.beat(now, false);
  }

  /** Whatever was on the broker before has been heard by now. Says what it may have forgotten. */
  #ready(now: number): void {
    this.#isReady = true;
    this.#staleMs = 0;
    for (const entry of this.#jobs.all) {
      if (entry.phase === 'admitted' && entry.lastClaim?.instance !== this.#self)
        this.#publishClaim(entry, now);
      if (!entry.isAnswered && this.#jobs.isFresh(entry, now)) this.#voice.result(entry);
    }
    this.#voice.beat(now, true);
    this.#look(now);
  }

  #claim(id: string, claim: ClaimMessage | undefined, now: number): void {
    if (!claim) return;
    const entry = this.#jobs.at(id, now);
    entry.lastClaim = claim;
    const isOwn = claim.instance === this.#self;
    // An echo of an earlier connection does not tell who was before it.
    if (isOwn && (entry.sent?.n !== claim.n || entry.sent.connection !== this.#connection)) return;
    if (!isOwn) this.roster.mention(now, claim.instance, claim.place);
    entry.noteClaim(claim.instance);
    if (!isOwn && entry.phase === 'admitted' && this.#isReady) this.#publishClaim(entry, now);
    if (!entry.isRevocable || entry.isForAll) return;
    const winner = winnerOf(entry, this.roster, now);
    if (winner !== this.#self) this.#jobs.takeBack(entry);
    else if (entry.phase === 'begun') return;
    else if (now >= entry.until) this.#voice.say({ do: 'refuse', id });
    else this.#jobs.admit(entry);
  }

  #result(id: string, result: ResultMessage | undefined, now: number): void {
    if (!result) return;
    const entry = this.#jobs.at(id, now);
    entry.result = result;
    entry.isAnswered = true;
    if (entry.isClaimed) {
      entry.isClaimed = false;
      this.#voice.say({ do: 'publish', kind: 'claim', id });
    }
    if (result.by) this.#resultOfAll(entry, result);
    else if (entry.phase !== 'admitted') this.#jobs.end(entry);
  }

  /** Each instance adds what it has done; one that was away does it now. */
  #resultOfAll(entry: Entry, { by, cleared }: ResultMessage): void {
    if (by?.includes(this.#self)) return;
    if (entry.own) this.#voice.result(entry);
    else if (cleared && !entry.job && !this.#remembered.has(entry.id)) {
      this.#voice.say({ do: 'clear', id: entry.id, alert: cleared.alert, clearedAt: cleared.at });
    }
  }

  #cleared({ kind, id }: Incoming, now: number): void {
    const entry = this.#jobs.find(id);
    if (!entry) return;
    entry.touchedAt = now;
    if (kind === 'claim') entry.lastClaim = undefined;
    if (kind !== 'job') return;
    entry.isHeld = false;
    if (entry.phase === 'waiting' || (entry.isRevocable && !entry.isForAll)) this.#jobs.end(entry, 'late');
  }

  #look(now: number): void {
    for (const entry of this.#jobs.open) {
      if (entry.phase === 'claiming' && now >= (entry.sent?.at ?? 0) + echoMs) this.#withoutEcho(entry);
      this.#consider(entry, now);
    }
  }

  #withoutEcho(entry: Entry): void {
    if (entry.isSafe && (entry.isHeld || !this.#isConnected)) this.#jobs.admit(entry);
    else this.#jobs.takeBack(entry);
  }

  /** Begins what waits, if it is this instance's turn. */
  #consider(entry: Entry, now: number): void {
    const { job, phase, isSafe, until } = entry;
    if (!job || phase !== 'waiting') return;
    if (now >= until) return this.#jobs.end(entry, 'late');
    const isCutOff = !this.#isConnected && isSafe;
    if (!isCutOff && !(this.#isReady && entry.isHeld)) return;
    if (this.#isReady) resolveLostEcho(entry, this.#self, this.#connection);
    const owner = entry.isForAll ? 'ours' : whose(entry, this.#self, this.roster, now);
    if (owner === 'ours') this.#jobs.begin(entry, now);
    if (owner !== 'lost') return;
    this.#voice.lost(entry, job);
    this.#jobs.answered(entry, now, this.#isConnected);
  }

  #sendClaim(entry: Entry, now: number): void {
    entry.phase = 'claiming';
    if (this.#isReady) this.#publishClaim(entry, now);
    else entry.sent = { n: -1, connection: -1, at: now, inCompany: true };
  }

  #publishClaim(entry: Entry, now: number): void {
    this.#voice.claim(entry, now, this.#connection, this.roster.living(now).length > 0);
  }

  /** This process stood still: what others said meanwhile is still to be read, and may be as old as that. */
  #noteStall(now: number): void {
    const stalledMs = now - (this.#lastTick ?? now) - beatMs;
    if (stalledMs < stallMs) return;
    this.#lastTick = now;
    this.#staleMs = stalledMs + beatMs;
    this.roster.shift(stalledMs);
    for (const { sent } of this.#jobs.open) if (sent) sent.at = Math.max(sent.at, now);
    if (this.#isConnected) this.#sync(now);
  }
}
