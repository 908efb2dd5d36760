import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../time/clock';

const secondMs = 1_000;

/** The most addresses that are counted one by one; all others share one count. */
const maxAddresses = 1_000;

/** Limits the requests of each address in a second, and the bodies that it sends at the same time. */
export class RateLimiter {
  readonly #counts = new Map<string, { since: number; count: number }>();
  readonly #unfinished = new Map<string, number>();

  constructor(
    private readonly maxPerSecond: number,
    private readonly clock: Pick<Clock, 'monotonic'>,
  ) {}

  /** Counts a request. Returns whether the address is within its limit. */
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
   * Counts a body that is not complete yet, because each takes memory.
   * @returns a function that ends the count; undefined if the address sends too many bodies
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

/** The most pieces of a body that are kept apart. */
const maxPieces = 256;

/** The result of reading a body: its bytes, or why they are not there. `gone`: the sender closed the connection. */
export type Body = Buffer | 'size' | 'late' | 'gone';

/** Reads a body of a limited size in a limited time. */
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
      // An error after the end must not be thrown.
      request.on('error', () => {});
      if (typeof body === 'string') request.pause();
      resolve(body);
    };
    const cancel = clock.after(maxMs, () => finish('late'));
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxBytes) finish('size');
      else chunks.push(chunk);
      // Many tiny pieces would take many times the memory of their bytes.
      if (chunks.length >= maxPieces) chunks = [Buffer.concat(chunks)];
    };
    const onEnd = () => finish(Buffer.concat(chunks, length));
    const onGone = () => finish('gone');
    request.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone);
  });
}

/** Tells a limited number of times in a period, and leaves out the rest. */
export class Sparingly {
  #times: number[] = [];

  constructor(
    private readonly max: number,
    private readonly periodMs: number,
    private readonly clock: Pick<Clock, 'monotonic'>,
  ) {}

  /** Returns whether one more is within the limit. */
  admits(): boolean {
    const now = this.clock.monotonic();
    this.#times = this.#times.filter((at) => now - at < this.periodMs);
    if (this.#times.length >= this.max) return false;
    this.#times.push(now);
    return true;
  }
}

/** The most repetitions that are remembered. */
const maxRemembered = 10_000;

/** Finds requests that repeat an earlier one within a time. A repetition does not prolong the time. */
export class Cooldown {
  readonly #until = new Map<string, number>();

  constructor(
    private readonly lengthMs: number,
    private readonly clock: Pick<Clock, 'monotonic'>,
  ) {}

  /** Returns whether the key was not passed on within the time. */
  admits(key: string): boolean {
    if (this.lengthMs <= 0) return true;
    const now = this.clock.monotonic();
    // All keys live equally long, so the oldest come first.
    for (const [known, until] of this.#until) {
      if (until > now && this.#until.size < maxRemembered) break;
      this.#until.delete(known);
    }
    if (this.#until.has(key)) return false;
    this.#until.set(key, now + this.lengthMs);
    return true;
  }
}
