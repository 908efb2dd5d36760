import { concerns, type Fault, type FaultKind, type FaultRule } from './fault';
import type { After, Before, FaultPlan } from './plan';

export class FaultInjector {
  #faults: Fault[] = [];
  #random = randomFrom(1);
  #lastId = 0;

  get faults(): readonly Fault[] {
    return this.#faults;
  }

  seed(seed: number): void {
    this.#random = randomFrom(seed);
  }

  add(rule: FaultRule): number {
    this.#lastId += 1;
    this.#faults = [...this.#faults, { ...rule, id: this.#lastId, struck: 0 }];
    return this.#lastId;
  }

  /**
   * Removes the fault with this id; without an id, removes all faults. Returns whether a fault was removed.
   */
  remove(id?: number): boolean {
    const left = id === undefined ? [] : this.#faults.filter((fault) => fault.id !== id);
    const found = left.length < this.#faults.length;
    this.#faults = left;
    return found;
  }

  applyFaults(method: string, target: string): FaultPlan | undefined {
    if (this.#faults.length === 0) return undefined;
    const matching = this.#faults.filter(
      (fault) =>
        concerns(fault, method, target) && (fault.chance === undefined || this.#random() < fault.chance),
    );
    if (matching.length === 0) return undefined;
    this.#faults = this.#faults
      .map((fault) => (matching.includes(fault) ? { ...fault, struck: fault.struck + 1 } : fault))
      .filter(({ count, struck }) => count === undefined || struck < count);
    return this.#combine(matching);
  }

  #combine(matching: readonly Fault[]): FaultPlan {
    const latencies = matching.filter(({ kind }) => kind === 'latency');
    const before = beforeOf(matching);
    return {
      latencyMs: latencies.reduce((sum, fault) => sum + this.#latencyOf(fault), 0),
      ...(before ? { before } : {}),
      after: this.#afterOf(matching),
      keepsFirmware: matching.some(({ kind }) => kind === 'not-upgraded'),
      words: matching.map(({ kind }) => kind).join(', '),
    };
  }

  #afterOf(matching: readonly Fault[]): After {
    const kinds: readonly After['kind'][] = ['unanswered', 'reset-after', 'half', 'garbage', 'content-type'];
    const { kind, contentType = 'text/html' } = first(matching, kinds) ?? { kind: 'whole' };
    const { bytesPerSecond } = first(matching, ['bandwidth']) ?? {};
    return {
      kind,
      contentType,
      noise: Buffer.from(Array.from({ length: 64 }, () => Math.floor(this.#random() * 256))),
      ...(bytesPerSecond === undefined ? {} : { bytesPerSecond }),
    };
  }

  #latencyOf({ ms = 0, toMs = ms, distribution = 'fixed' }: Fault): number {
    if (distribution === 'uniform') return ms + this.#random() * (toMs - ms);
    if (distribution === 'exponential') return -ms * Math.log(1 - this.#random());
    return ms;
  }
}

/** Creates a seeded generator of numbers from 0 (included) to 1 (excluded), by the algorithm mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function beforeOf(matching: readonly Fault[]): Before | undefined {
  const fault = first(matching, ['lost', 'reset-before', 'status']);
  return fault?.kind === 'status'
    ? { kind: 'status', status: fault.status ?? 503 }
    : fault && { kind: fault.kind };
}

function first<K extends FaultKind | 'whole'>(
  matching: readonly Fault[],
  kinds: readonly K[],
): (Fault & { readonly kind: K }) | undefined {
  const isOne = (fault: Fault): fault is Fault & { readonly kind: K } =>
    kinds.some((kind) => kind === fault.kind);
  return matching.find(isOne);
}
