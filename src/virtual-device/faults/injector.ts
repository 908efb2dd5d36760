import { concerns, type Fault, type FaultKind, type FaultWish } from './fault';

/** What befalls one request. */
export interface Disturbance {
  /** Milliseconds, of the time outside of the device. */
  readonly latencyMs: number;
  /** Keeps the device from acting. */
  readonly before?: 'lost' | 'reset-before' | 'status';
  /** What becomes of the answer. */
  readonly after?: 'unanswered' | 'reset-after' | 'half' | 'garbage' | 'content-type';
  readonly status: number;
  readonly contentType: string;
  readonly bytesPerSecond?: number;
  /** For a garbage answer: bytes that the seed decides. */
  readonly noise: Buffer;
  /** In words, for the log. */
  readonly words: string;
}

const kindsBefore: readonly FaultKind[] = ['lost', 'reset-before', 'status'];
const kindsAfter: readonly FaultKind[] = ['unanswered', 'reset-after', 'half', 'garbage', 'content-type'];

/** Numbers from 0 up to 1 that a seed decides (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Holds the faults of a device and decides which of them strike a request. */
export class FaultInjector {
  #faults: Fault[] = [];
  #random = randomFrom(1);
  #lastId = 0;

  get faults(): readonly Fault[] {
    return this.#faults;
  }

  /** Begins the sequence of chances anew. */
  seed(seed: number): void {
    this.#random = randomFrom(seed);
  }

  /** Returns the id by which it can be taken away again. */
  add(wish: FaultWish): number {
    this.#lastId += 1;
    this.#faults = [...this.#faults, { ...wish, id: this.#lastId, struck: 0 }];
    return this.#lastId;
  }

  /** Takes one away, or all of them; says whether there was one. */
  remove(id?: number): boolean {
    const left = id === undefined ? [] : this.#faults.filter((fault) => fault.id !== id);
    const found = left.length < this.#faults.length;
    this.#faults = left;
    return found;
  }

  /** What befalls this request; nothing, mostly. */
  strike(method: string, target: string): Disturbance | undefined {
    if (this.#faults.length === 0) return undefined;
    const striking = this.#faults.filter(
      (fault) =>
        concerns(fault, method, target) && (fault.chance === undefined || this.#random() < fault.chance),
    );
    if (striking.length === 0) return undefined;
    this.#faults = this.#faults
      .map((fault) => (striking.includes(fault) ? { ...fault, struck: fault.struck + 1 } : fault))
      .filter(({ count, struck }) => count === undefined || struck < count);
    return this.#combine(striking);
  }

  #combine(striking: readonly Fault[]): Disturbance {
    const first = (kinds: readonly FaultKind[]) => striking.find(({ kind }) => kinds.includes(kind));
    const before = first(kindsBefore);
    const after = first(kindsAfter);
    const slow = first(['bandwidth']);
    const latencies = striking.filter(({ kind }) => kind === 'latency');
    return {
      latencyMs: latencies.reduce((sum, fault) => sum + this.#latencyOf(fault), 0),
      ...(before ? { before: before.kind as 'lost' } : {}),
      ...(after ? { after: after.kind as 'half' } : {}),
      status: before?.status ?? 503,
      contentType: after?.contentType ?? 'text/html',
      ...(slow?.bytesPerSecond === undefined ? {} : { bytesPerSecond: slow.bytesPerSecond }),
      noise: Buffer.from(Array.from({ length: 64 }, () => Math.floor(this.#random() * 256))),
      words: striking.map(({ kind }) => kind).join(', '),
    };
  }

  #latencyOf({ ms = 0, toMs = ms, distribution = 'fixed' }: Fault): number {
    if (distribution === 'uniform') return ms + this.#random() * (toMs - ms);
    if (distribution === 'exponential') return -ms * Math.log(1 - this.#random());
    return ms;
  }
}
