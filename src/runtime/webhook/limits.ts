import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../time/clock';

const secondMs = 1_000;

/** Maximum number of addresses that are counted separately. All further addresses share one count. */
const maxAddresses = 1_000;

/** Limits the requests per second of each address, and the number of bodies that it sends in parallel. */
export class RateLimiter {
  readonly #counts = new Map<string, { since: number; count: number }>();
  readonly #unfinished = new Map<string, number>();

  constructor(
    private readonly maxPerSecond: number,
    private readonly clock: Pick<Clock, 'monotonic'>,
  ) {}

  /** Counts a request. Returns whether the address is still within its limit. */
  admits(address: string): boolean {
    const now = this.clock.monotonic();
    const key = this.#keyOf(address, now);
    const entry = this.#counts.get(key);
    if (!entry || now - entry.since >= secondMs) {
      this.#counts.set(key, { since: now, count: 1 });
      return true;
    }
    entry.count += 1;
    return entry.count <= this.maxPerSecond;
  }

  /**
   * Counts a body that is not complete yet, since each such body takes memory.
   * @returns a function that ends the count; undefined if the address sends too many bodies in parallel
   */
  begin(address: string): (() => void) | undefined {
    const count = this.#unfinished.get(address) ?? 0;
    if (count >= this.maxPerSecond) return undefined;
    this.#unfinished.set(address, count + 1);
    return () => {
      const left = (this.#unfinished.get(address) ?? 1) - 1;
      if (left > 0) this.#unfinished.set(address, left);
      else this.#unfinished.delete(address);
    };
  }

  #keyOf(address: string, now: number): string {
    if (this.#counts.has(address) || this.#counts.size < maxAddresses) return address;
    for (const [one, { since }] of this.#counts) if (now - since >= secondMs) this.#counts.delete(one);
    return this.#counts.size < maxAddresses ? address : '';
  }
}

/** Maximum number of pieces of a body before they are joined. */
const maxPieces = 256;

/** The bytes of a body, or the reason why it could not be read. `gone`: the sender closed the connection. */
export type Body = Buffer | 'size' | 'late' | 'gone';

/** Reads a body with limits of size and time. Never rejects. */
export function readBody(
  request: IncomingMessage,
  { maxBytes, maxMs }: { readonly maxBytes: number; readonly maxMs: number },
  clock: Pick<Clock, 'after'>,
): Promise<Body> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.resolve('size');
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let length = 0;
    const finish = (body: Body) => {
      cancel();
      request.off('data', onData).off('end', onEnd).off('close', onGone).off('error', onGone);
      // Without a listener, an error after the end would be thrown.
      request.on('error', () => {});
      if (typeof body === 'string') request.pause();
      resolve(body);
    };
    const cancel = clock.after(maxMs, () => finish('late'));
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxBytes) finish('size');
      else chunks.push(chunk);
      // Many small pieces would take many times the memory of their bytes.
      if (chunks.length >= maxPieces) chunks = [Buffer.concat(chunks)];
    };
    const onEnd = () => finish(Buffer.concat(chunks, length));
    const onGone = () => finish('gone');
    request.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone);
  });
}

/** A rate limit: admits a limited number of events in a period. */
export class Sparingly {
  #times: number[] = [];

  constructor(
    private readonly max: number,
    private readonly periodMs: number,
    private readonly clock: Pick<Clock, 'monotonic'>,
  ) {}

  /** Counts an event. Returns whether it is within the limit. */
  admits(): boolean {
    const now = this.clock.monotonic();
    this.#times = this.#times.filter((at) => now - at < this.periodMs);
    if (this.#times.length >= this.max) return false;
    this.#times.push(now);
    return true;
  }
}

/** Maximum number of stored keys. */
const maxRemembered = 10_000;

/**
 * Detects requests that repeat an earlier request within a period. A repetition does not extend the period.
 */
export class Cooldown {
  readonly #until = new Map<string, number>();

  constructor(
    private readonly lengthMs: number,
    private readonly clock: Pick<Clock, 'monotonic'>,
  ) {}

  /** Returns false if the same key was admitted within the period. */
  admits(key: string): boolean {
    if (this.lengthMs <= 0) return true;
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
