import type { IncomingMessage } from 'node:http';
import { MessageChannel } from 'node:worker_threads';
import type { Clock } from '../../time/clock';

const secondMs = 1_000;

/** Maximum number of requests per second from one known address, or from one network of unknown addresses. */
const maxPerSecond = 100;

/** Maximum number of requests per second from all unknown addresses together. */
const maxOfStrangers = 2_000;

/**
 * Maximum number of requests per second from one network of unknown addresses, as soon as all unknown
 * addresses together have used half of `maxOfStrangers`.
 */
const maxInCrowd = 10;

/**
 * `maxHeld`: maximum number of unanswered requests of one known address, or of one network of unknown
 * addresses. `maxHeldByAll`: maximum number of unanswered requests of all addresses together.
 */
const maxHeld = 100;
const maxHeldByAll = 500;

const maxKnown = 1_000;

export interface Permit {
  readonly signal: AbortSignal;
  end(): void;
}

/**
 * Limits the requests per second from each address, and the requests that are held in memory. Unknown
 * addresses are counted by network and share a limit, because an attacker can have many addresses.
 */
export class RateLimiter {
  /** Number of requests by address or network in a period of one second, the oldest entry first. */
  readonly #counts = new Map<string, { readonly since: number; count: number }>();
  #strangers = { since: Number.NEGATIVE_INFINITY, count: 0 };
  /** The addresses with an accepted request, in the order of their last accepted requests. */
  readonly #known = new Set<string>();
  readonly #held = new Map<string, number>();
  readonly #permitsOfKnown = new Set<AbortController>();
  readonly #permitsOfStrangers = new Set<AbortController>();

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {}

  get size(): number {
    return this.#counts.size + this.#known.size + this.#held.size;
  }

  get held(): number {
    return this.#permitsOfKnown.size + this.#permitsOfStrangers.size;
  }

  /**
   * Remembers the address of an accepted request, so that requests from unknown addresses cannot use up its
   * limit.
   */
  know(address: string): void {
    this.#known.delete(address);
    this.#known.add(address);
    if (this.#known.size <= maxKnown) return;
    const [oldest = ''] = this.#known;
    this.#known.delete(oldest);
  }

  admits(address: string): boolean {
    const now = this.clock.monotonic();
    for (const [key, { since }] of this.#counts) {
      if (now - since < secondMs) break;
      this.#counts.delete(key);
    }
    const isKnown = this.#known.has(address);
    const key = isKnown ? address : networkOf(address);
    const entry = this.#counts.get(key);
    const count = entry?.count ?? 0;
    if (count >= maxPerSecond || !(isKnown || this.#admitsStranger(count, now))) return false;
    if (entry) entry.count += 1;
    else this.#counts.set(key, { since: now, count: 1 });
    return true;
  }

  #admitsStranger(count: number, now: number): boolean {
    if (now - this.#strangers.since >= secondMs) this.#strangers = { since: now, count: 0 };
    const { count: all } = this.#strangers;
    if (all >= maxOfStrangers || (all >= maxOfStrangers / 2 && count >= maxInCrowd)) return false;
    this.#strangers.count += 1;
    return true;
  }

  /**
   * Holds a request until its permit ends. If too many requests are held, aborts the oldest request; an
   * unknown address cannot abort the request of a known address.
   * @returns undefined if no further request may be held
   */
  hold(address: string): Permit | undefined {
    const isKnown = this.#known.has(address);
    const key = isKnown ? address : networkOf(address);
    const count = this.#held.get(key) ?? 0;
    if (count >= maxHeld) return undefined;
    if (this.held >= maxHeldByAll) {
      const evicted = this.#permitsOfStrangers.size > 0 ? this.#permitsOfStrangers : this.#permitsOfKnown;
      if (evicted === this.#permitsOfKnown && !isKnown) return undefined;
      const [oldest] = evicted;
      if (oldest) evicted.delete(oldest);
      oldest?.abort();
    }
    this.#held.set(key, count + 1);
    const permit = new AbortController();
    const permits = isKnown ? this.#permitsOfKnown : this.#permitsOfStrangers;
    permits.add(permit);
    return { signal: permit.signal, end: () => this.#end(permit, permits, key) };
  }

  #end(permit: AbortController, permits: Set<AbortController>, key: string): void {
    permits.delete(permit);
    const left = (this.#held.get(key) ?? 1) - 1;
    if (left > 0) this.#held.set(key, left);
    else this.#held.delete(key);
  }
}

/**
 * Returns the first 64 bits of an IPv6 address, because one computer can have all addresses with this prefix.
 * Returns an IPv4 address unchanged.
 * @param address in the form of `normalAddress`
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [first = [], last] = address.split('::', 2).map((part) => (part === '' ? [] : part.split(':')));
  const zeros = last ? Array.from({ length: 8 - first.length - last.length }, () => '0') : [];
  return `${[...first, ...zeros, ...(last ?? [])].slice(0, 4).join(':')}::`;
}

const maxPieces = 256;

/** Maximum number of pieces in which a body can arrive: 64 KiB of single bytes would block the event loop. */
const maxChunks = 8192;

/**
 * The bytes of a body, or the reason why the body was not read.
 * - `size`: the body is too long, or has too many pieces.
 * - `late`: the body was not complete in time.
 * - `gone`: the sender closed the connection, or the request was aborted.
 */
export type Body = Buffer | 'size' | 'late' | 'gone';

/**
 * One function for all requests: a separate listener for each request would keep the pieces of its body in
 * memory.
 */
const ignore = () => {};

export function readBody(
  request: IncomingMessage,
  limits: { readonly maxBytes: number; readonly maxMs: number; readonly signal: AbortSignal },
  clock: Pick<Clock, 'after'>,
): Promise<Body> {
  const { maxBytes, maxMs, signal } = limits;
  // A destroyed request emits no further event.
  if (request.destroyed || signal.aborted) return Promise.resolve('gone');
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.resolve('size');
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let length = 0;
    let count = 0;
    const finish = (body: Body) => {
      cancel();
      request.off('data', onData).off('end', onEnd).off('close', onGone).off('error', onGone);
      signal.removeEventListener('abort', onGone);
      // Without a listener, an error after the end would be thrown.
      request.on('error', ignore);
      // For `gone`, the connection has ended, or a refusal already discards the rest of the body.
      if (body === 'size' || body === 'late') request.pause();
      resolve(body);
      chunks = [];
    };
    const cancel = clock.after(maxMs, () => finish('late'));
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      count += 1;
      if (length > maxBytes || count > maxChunks) finish('size');
      else chunks.push(chunk);
      // Many small pieces would take many times the memory of their bytes.
      if (chunks.length >= maxPieces) chunks = [Buffer.concat(chunks)];
    };
    const onEnd = () => finish(Buffer.concat(chunks, length));
    const onGone = () => finish('gone');
    request.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone);
    signal.addEventListener('abort', onGone);
  });
}

export class RateLimitedWarning {
  #times: number[] = [];

  constructor(
    private readonly max: number,
    private readonly periodMs: number,
    private readonly clock: Pick<Clock, 'monotonic'>,
  ) {}

  admits(): boolean {
    const now = this.clock.monotonic();
    this.#times = this.#times.filter((at) => now - at < this.periodMs);
    if (this.#times.length >= this.max) return false;
    this.#times.push(now);
    return true;
  }
}

/** Maximum size of the bodies that are handled in one turn of the event loop, in bytes. */
const maxBytesPerTurn = 64 * 1024;

/** Cost of each request, in addition to the size of its body, in bytes. */
const bytesPerRequest = 8 * 1024;

/**
 * Spreads requests over the turns of the event loop: hundreds of bodies can be complete in one turn, and
 * other work, such as an emergency, would wait for all these requests. Resolves in the poll phase of a turn:
 * Node-RED then delivers the messages of these requests in the same turn, so that a deploy can close a node
 * between the answer and its message only in the rest of this poll phase.
 */
export class Turns {
  readonly #channel = new MessageChannel();
  #isScheduled = false;
  readonly #waiting: { readonly cost: number; readonly resolve: () => void }[] = [];

  /**
   * Resolves in a turn that has time for a body of this size, in the order of the calls.
   * @param size in bytes
   */
  take(size: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ cost: size + bytesPerRequest, resolve });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    const { port1, port2 } = this.#channel;
    port1.once('message', () => {
      this.#release();
      // A message that is sent now would arrive in the same turn.
      setImmediate(() => {
        this.#isScheduled = false;
        this.#schedule();
      });
    });
    port2.postMessage(undefined);
  }

  #release(): void {
    let left = maxBytesPerTurn;
    while (left > 0) {
      const next = this.#waiting.shift();
      if (!next) return;
      left -= next.cost;
      next.resolve();
    }
  }
}

const maxRemembered = 10_000;

export class Cooldown {
  readonly #until = new Map<string, number>();

  constructor(
    private readonly lengthMs: number,
    private readonly clock: Pick<Clock, 'monotonic'>,
  ) {}

  admits(key: string): boolean {
    const now = this.clock.monotonic();
    // All keys are stored for the same time, so the oldest keys come first.
    for (const [known, until] of this.#until) {
      if (until > now && this.#until.size < maxRemembered) break;
      this.#until.delete(known);
    }
    if (this.#until.has(key)) return false;
    this.#until.set(key, now + this.lengthMs);
    return true;
  }
}
