/** One thing that happens in a history of ends. All times in milliseconds. */
export type Step = { readonly at: number; readonly deviceOutput: number } & (
  | {
      readonly kind: 'start';
      /** It is to be ended so long after; undefined: by nobody. */
      readonly afterMs: number | undefined;
      /** How long it waits, and how long the device takes. */
      readonly waitMs: number;
      readonly latencyMs: number;
      readonly outcome: Outcome;
      /** It does not wait for another start that is under way. */
      readonly overlaps: boolean;
    }
  | { readonly kind: 'stop'; readonly latencyMs: number; readonly outcome: Outcome }
  | { readonly kind: 'away'; readonly forMs: number }
  | {
      readonly kind: 'crash';
      readonly downMs: number;
      readonly beforeRunMs: number;
      readonly wallJump: number;
    }
);

/** What comes of a request: a yes, no answer to what was done, no answer to what was not, a no. */
export type Outcome = 'accepted' | 'done' | 'lost' | 'failed';

const outcomes: readonly Outcome[] = [
  'accepted',
  'accepted',
  'accepted',
  'accepted',
  'done',
  'lost',
  'failed',
];

/** Draws what may happen at a few device outputs. */
export class Author {
  constructor(private readonly random: () => number) {}

  /** @param deviceOutputs how many there are */
  history(deviceOutputs: number): Step[] {
    const count = 2 + this.#below(14);
    const known = 1 + this.#below(deviceOutputs);
    let at = 0;
    return Array.from({ length: count }, () => {
      at += this.#oneOf([0, this.#below(300), this.#below(3_000), this.#below(20_000)]);
      return this.#step(at, this.#below(known));
    });
  }

  outcome(): Outcome {
    return this.#oneOf(outcomes);
  }

  latencyMs(): number {
    return this.#oneOf([1, this.#below(100), this.#below(1_500)]);
  }

  #step(at: number, deviceOutput: number): Step {
    const [latencyMs, outcome] = [this.latencyMs(), this.outcome()];
    const kind = this.#oneOf(['start', 'start', 'start', 'start', 'stop', 'away', 'crash'] as const);
    switch (kind) {
      case 'start': {
        const waitMs = this.#oneOf([0, 0, this.#below(300), this.#below(8_000)]);
        const afterMs = this.#oneOf([undefined, this.#below(200), this.#below(3_000), this.#below(60_000)]);
        return { at, deviceOutput, kind, afterMs, waitMs, latencyMs, outcome, overlaps: this.random() < 0.2 };
      }
      case 'stop':
        return { at, deviceOutput, kind, latencyMs, outcome };
      case 'away':
        return { at, deviceOutput, kind, forMs: this.random() < 0.01 ? 25 * 3_600_000 : this.#below(90_000) };
      case 'crash': {
        const wallJump = this.#oneOf([0, 0, this.#below(100_000), -this.#below(100_000), -1_000_000_000]);
        return {
          at,
          deviceOutput,
          kind,
          downMs: this.#below(10_000),
          beforeRunMs: this.#below(2_000),
          wallJump,
        };
      }
    }
  }

  #below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  #oneOf<T>(values: readonly T[]): T {
    return values[this.#below(values.length)] as T;
  }
}
