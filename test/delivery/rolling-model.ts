/** The result of a request at a device; `unknown name` and `unsupported` are known before a request. */
export type Fate = 'accepted' | 'refused' | 'lost' | 'unsupported' | 'unknown name';

export interface RollingTarget {
  readonly name: string;
  readonly fate: Fate;
}

const outcomeOf: Readonly<Record<Fate, string>> = {
  accepted: 'accepted',
  refused: 'failed',
  lost: 'unknown',
  unsupported: 'skipped',
  'unknown name': 'failed',
};

/** The promises of docs/contract.md for a rolling message (2.5, *Rolling*). */
export class RollingModel {
  readonly outcomes: (string | undefined)[];
  /** The targets that hold a request, by their index. */
  readonly underWay = new Set<number>();
  /** The target that failed first. */
  first: number | undefined;
  /** How many times a request reached each target. */
  readonly requests: number[];
  #next = 0;
  #failed = 0;
  #isReset = false;
  readonly #stopped = new Set<number>();

  constructor(
    readonly targets: readonly RollingTarget[],
    readonly size: number,
    readonly maxFailures: number,
  ) {
    this.outcomes = targets.map(() => undefined);
    this.requests = targets.map(() => 0);
    // The first targets begin together, before any has failed.
    const together = [...targets.keys()].slice(0, size);
    this.#next = together.length;
    for (const index of together) this.#start(index);
    this.#begin();
  }

  get isEnded(): boolean {
    return this.outcomes.every((outcome) => outcome !== undefined);
  }

  /** The targets whose turn has not come, and which a stop can reach. */
  get waiting(): number[] {
    const every = [...this.targets.keys()].slice(this.#next);
    return every.filter(
      (index) => !['unsupported', 'unknown name'].includes(this.targets[index]?.fate ?? ''),
    );
  }

  /** The device under way answers, or its connection breaks. */
  finish(index: number): void {
    this.underWay.delete(index);
    this.#end(index, outcomeOf[this.targets[index]?.fate ?? 'lost']);
    this.#begin();
  }

  stop(index: number): void {
    if (!this.#isReset) this.#stopped.add(index);
  }

  reset(): void {
    this.#isReset = true;
  }

  #begin(): void {
    for (; this.#next < this.targets.length && this.underWay.size < this.size; this.#next += 1) {
      const index = this.#next;
      if (this.#stopped.has(index)) this.#end(index, 'superseded');
      else if (this.#isReset) this.#end(index, 'failed');
      else if (this.#failed > this.maxFailures) this.#end(index, 'skipped');
      else this.#start(index);
    }
  }

  #start(index: number): void {
    const fate = this.targets[index]?.fate ?? 'lost';
    if (fate === 'unsupported' || fate === 'unknown name') {
      this.#end(index, outcomeOf[fate]);
      return;
    }
    this.underWay.add(index);
    this.requests[index] = 1;
  }

  #end(index: number, outcome: string): void {
    this.outcomes[index] = outcome;
    if (outcome !== 'failed' && outcome !== 'unknown') return;
    this.#failed += 1;
    this.first ??= index;
  }
}
