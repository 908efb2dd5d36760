import type { WireReceipt } from '../../src/sites/wire';
import type { Sent } from './site-devices';

/** What a person asked for, at the centre or at the site. */
export interface Request {
  /** When, in milliseconds of the one true clock. */
  readonly at: number;
  readonly output: string;
  /** It starts something; otherwise it ends it. */
  readonly on: boolean;
  readonly by: 'centre' | 'site';
  /** Its time is over then. */
  readonly until: number;
  /** It may be done twice. */
  readonly isIdempotent: boolean;
  receipts?: readonly WireReceipt[];
}

/** What was started so shortly before a clear may count as started after it, where the broker has kept the clear. */
const keptMs = 1_000;

/** So long after its time a device may still be busy with a request. */
const atDeviceMs = 7_000;

/** So late a site notices at most that its link stalls: two signs of life, and what one may take. */
const noticedMs = 3_500;

interface Span {
  readonly from: number;
  readonly until: number;
}

/**
 * The model: from docs/contract.md 2.5, 2.6 and 2.8 alone. It knows in which order people asked, and what became of
 * each request; it says in which state each output must be when nothing is on its way any more.
 */
export class RequestModel {
  readonly requests: Request[] = [];
  /** When links stalled: then a clear may be as old as that, and what was started meanwhile stays. */
  readonly stalls: Span[] = [];
  /** What reached the devices. */
  readonly sent: Sent[] = [];
  /** When links were cut. */
  readonly cuts: Span[] = [];

  /** @param slowestMs how long a message may be on its way when nothing is wrong */
  constructor(
    private readonly instances: number,
    private readonly slowestMs: number,
  ) {}

  /** An instance has died: its pending commands at devices are requested when it is back, whatever another one has started. */
  hasDied = false;

  /**
   * The states that an output may be in at the end.
   * @param isDevice what the device shows, not what the alert says of itself: an instance does not know what a person
   * starts at another one, and may end what it has itself started there
   */
  states(output: string, isDevice = true): ReadonlySet<boolean> {
    let may = new Set([false]);
    const requests = this.requests.filter((one) => one.output === output);
    for (const [index, request] of requests.entries()) {
      const taken = this.#cameOf(request);
      const isUntold = request.by === 'site' || (request.on && this.hasDied && output === 'strobe');
      const isOthers = isDevice && isUntold && this.instances > 1;
      if (taken === 'done' && !isOthers) may = new Set([request.on]);
      else if (taken !== 'nothing') may.add(request.on);
      if (taken !== 'nothing' && this.#isClose(request)) may.add(!request.on);
      if (isDevice && request.on && (this.#mayCross(request) || this.#mayBeUnseen(request))) may.add(false);
      for (const earlier of requests.slice(0, index))
        if (this.#mayBeRepeated(earlier, request.at)) may.add(earlier.on);
    }
    return may;
  }

  /** What became of it: an all-clear that one instance has answered is done by the others when they are back. */
  #cameOf(request: Request): 'done' | 'maybe' | 'nothing' {
    const { on, by, receipts, output, isIdempotent } = request;
    // What one instance has started another one's own all-clear does not end.
    if (by === 'site') return on || this.instances === 1 ? 'done' : 'maybe';
    if (!receipts) return 'maybe';
    const outcomes = new Set(receipts.map(({ outcome }) => outcome));
    if (outcomes.has('accepted') || receipts.length === 0) return 'done';
    if (outcomes.has('unknown')) return 'maybe';
    // docs/contract.md 2.6: what an alert has not started in time it tries again until it is cleared.
    const isTriedAgain = output === 'strobe' && receipts.some(({ error }) => error === undefined);
    // docs/contract.md 2.6: what it has not ended it tries again too, also after a kill.
    const isEndedLater = output === 'strobe' && !on && this.hasDied;
    if (outcomes.has('expired') && (isTriedAgain || isEndedLater || (isIdempotent && this.#wasAway(request))))
      return 'maybe';
    return !on && this.instances > 1 && outcomes.has('superseded') ? 'maybe' : 'nothing';
  }

  /**
   * docs/contract.md 2.8: cut off, an instance does what may be done twice without a claim until its time is over, also
   * where another one has done it and what was asked after it. What it has started of an alert it ends when it is back.
   */
  #mayBeRepeated(earlier: Request, at: number): boolean {
    const { by, output, isIdempotent, until } = earlier;
    if (this.instances === 1 || by === 'site' || output === 'strobe' || !isIdempotent) return false;
    return at <= until + atDeviceMs && this.#wasAway(earlier);
  }

  /**
   * Each instance ends what it has itself started of an alert, and none knows what another one still waits for at a
   * device: a start may overtake an end that is on its way at the same time, as far as the links tell.
   */
  #mayCross({ at, output }: Request): boolean {
    if (this.instances === 1 || output !== 'strobe') return false;
    const strobe = this.sent.filter((one) => one.output === output);
    const starts = strobe.filter(({ on, from }) => on && from >= at);
    const ends = strobe.filter(({ on }) => !on);
    return starts.some((start) =>
      ends.some((end) => end.from <= start.until + this.#linksMs && end.until >= start.from),
    );
  }

  /**
   * docs/contract.md 2.8: an instance that was offline clears when it is back, unless its alert was started since. It
   * cannot know of a start whose instance stalls before it has said so.
   */
  #mayBeUnseen({ at, output }: Request): boolean {
    if (this.instances === 1 || output !== 'strobe') return false;
    const clears = this.requests.filter((one) => one.output === output && !one.on && one.at <= at);
    const cuts = this.cuts.filter((cut) =>
      clears.some((clear) => cut.from <= clear.at && clear.at <= cut.until),
    );
    return cuts.some((cut) => this.stalls.some(({ from, until }) => from <= cut.until && until >= at));
  }

  /** The link of an instance was away in its time. */
  #wasAway({ at, until }: Request): boolean {
    return [...this.stalls, ...this.cuts].some((away) => away.from <= until && away.until >= at);
  }

  /** Somebody at the site asked for the opposite while it was on its way, or so shortly before that both are right. */
  #isClose({ at, by, on, output }: Request): boolean {
    return this.requests.some((other) => {
      if (other.output !== output || other.on === on || other.by === by) return false;
      // Only an all-clear has a rule for what was started meanwhile at the site: it never ends that.
      if (by === 'centre' && on) return other.at >= at;
      if (by === 'site' && !on) return other.at <= at;
      if (by === 'centre') return other.at <= at && this.#maySeemLater(other.at, at);
      return at >= other.at && (at - other.at <= this.#linksMs || this.#isHeldBack(other.at, at));
    });
  }

  /**
   * While a message is on its way over links that are as quick as usual, no one can tell which was first: that of a
   * clear to one instance, and with two instances that of its result to the other one.
   */
  get #linksMs(): number {
    return 2 * this.instances * this.slowestMs;
  }

  /** A link that stalls too briefly to be noticed delivers a clear late, as if it were asked then. */
  #isHeldBack(cleared: number, started: number): boolean {
    return this.stalls.some(
      ({ from, until }) =>
        until - from <= noticedMs && cleared >= from - 2 * this.slowestMs && started <= until,
    );
  }

  #maySeemLater(started: number, cleared: number): boolean {
    if (cleared - started <= keptMs + 2 * this.slowestMs) return true;
    // A link that stalls delivers as new what it has held back: that may be as old as that.
    const heldMs = ({ from, until }: Span) => until - from + noticedMs + keptMs;
    return this.stalls.some((stall) => cleared <= stall.until && cleared - started <= heldMs(stall));
  }
}
