import type { Message } from './order-model';

/** One message of a history, and all that will happen to it. All times in milliseconds. */
export interface Step {
  /** When its message arrives. */
  readonly at: number;
  readonly message: Message;
  /** By which of the device's names it comes. */
  readonly name: number;
  /** How long its parameters take to be read; never, when that is infinite; absent when they come with it. */
  readonly parametersMs?: number;
  /** From its turn to its first byte. */
  readonly connectMs: number;
  /** How long each of its requests takes; after all but the last the connection is lost, and made again. */
  readonly requestsMs: readonly number[];
  /** What comes of the last one. */
  readonly end: 'done' | 'unclear' | 'failed';
  /** When within a request the device does it. */
  readonly done: 'early' | 'late' | 'never';
  /** How long it takes once more. */
  readonly againMs: number;
  /** When after its arrival it is given up. */
  readonly abortMs?: number;
}

export interface History {
  readonly steps: readonly Step[];
  /** When each of the names is closed, of those that are. */
  readonly closeAt?: ReadonlyMap<number, number>;
}

/** So many names a device has, of which histories use some. */
export const mostNames = 3;

/** Chance that is the same for the same seed (mulberry32): numbers from 0 to below 1. */
export function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const subjects = [
  { subject: 'door 1', family: 'door' },
  { subject: 'door 2', family: 'door' },
  { subject: 'tone', family: 'tone' },
  { subject: 'emergency', family: 'emergency' },
];

/** Draws what may happen at one device. */
export class Author {
  /**
   * @param longestGapMs between two messages
   * @param names so many the device has
   */
  constructor(
    private readonly random: () => number,
    private readonly longestGapMs = 30_000,
    private readonly names = 1,
  ) {}

  history(): History {
    const steps: Step[] = [];
    const count = 2 + this.#below(18);
    // Few subjects meet each other more often.
    const known = subjects.slice(this.#below(subjects.length));
    let at = 0;
    for (let number = 0; number < count; number += 1) {
      steps.push(this.#step(at, known));
      at += Math.min(this.longestGapMs, this.#gapMs());
    }
    if (!this.#is(this.names > 1 ? 0.4 : 0.1)) return { steps };
    const closing = [...Array(this.names).keys()].filter(() => this.names === 1 || this.#is(0.5));
    return { steps, closeAt: new Map(closing.map((name) => [name, this.#below(at + 5_000)])) };
  }

  #step(at: number, known: typeof subjects): Step {
    const message = this.#message(known);
    const isSlow = message.kind !== 'reading' && this.#is(0.25);
    return {
      at,
      message,
      name: this.#below(this.names),
      ...(isSlow && {
        parametersMs: this.#oneOf([1, this.#below(300), this.#below(4_000), 65_000, Infinity]),
      }),
      connectMs: this.#oneOf([0, 0, 0, this.#below(40), this.#below(3_000)]),
      requestsMs: this.#is(0.9) ? [this.#requestMs()] : [this.#requestMs(), this.#below(500)],
      end: this.#oneOf(['done', 'done', 'done', 'done', 'unclear', 'failed']),
      done: this.#oneOf(['early', 'late', 'late', 'never']),
      againMs: this.#oneOf([this.#below(100), this.#below(3_000)]),
      ...(this.#is(0.15) && {
        abortMs: this.#oneOf([0, this.#below(300), this.#below(3_000), this.#below(9_000)]),
      }),
    };
  }

  #message(known: typeof subjects): Message {
    const kind = this.#oneOf([
      'start',
      'start',
      'start',
      'stop',
      'stop',
      'stop',
      'other',
      'reading',
    ] as const);
    if (kind === 'reading') return { kind, urgent: false };
    if (kind === 'other') return { kind, urgent: this.#is(0.2) };
    const about = this.#oneOf(known);
    return { kind, ...about, urgent: kind === 'stop' || about.subject === 'emergency' };
  }

  #gapMs(): number {
    return this.#oneOf([0, 0, this.#below(60), this.#below(600), this.#below(3_000), this.#below(30_000)]);
  }

  #requestMs(): number {
    return this.#oneOf([
      1,
      this.#below(100),
      this.#below(300),
      this.#below(300),
      1_900 + this.#below(200),
      this.#below(5_000),
      this.#below(20) === 0 ? 130_000 : this.#below(10_000),
    ]);
  }

  #below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  #is(probability: number): boolean {
    return this.random() < probability;
  }

  #oneOf<T>(values: readonly T[]): T {
    return values[this.#below(values.length)] as T;
  }
}

/**
 * The same failure with fewer messages: leaves out one after the other as long as it still fails.
 * @param failsWith what is wrong with a history, if anything is
 */
export async function shrink(
  history: History,
  failsWith: (history: History) => Promise<string | undefined>,
): Promise<History> {
  for (const [index] of history.steps.entries()) {
    const fewer = { ...history, steps: history.steps.filter((_step, other) => other !== index) };
    if (await failsWith(fewer)) return shrink(fewer, failsWith);
  }
  const { closeAt, ...open } = history;
  if (closeAt !== undefined && (await failsWith(open))) return shrink(open, failsWith);
  return history;
}
