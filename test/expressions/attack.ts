import vm from 'node:vm';
import { fasterThanLinear, minMsOf } from '../fixtures/faster-than-linear';
import { samplesOf } from './samples';

/** An expression, and whether it parts texts. */
export interface Attacked {
  readonly expression: RegExp;
  readonly splits?: boolean;
}

/** A text that is meant to be long to read: a beginning, a middle as often as it fits, and an end. */
interface Attack {
  readonly prefix: string;
  readonly pump: string;
  readonly suffix: string;
}

/** An attack, and how long the expression took for a short text of it. */
interface Trial {
  readonly attack: Attack;
  readonly tookMs: number;
}

/** Long enough to tell attacks apart. */
const trialLength = 1_000;

/** So many of the worst attacks are tried at full length. */
const mostFinalists = 5;

/** An attack that takes this long on a short text is tried at full length at once, in milliseconds. */
const alarmingMs = 0.5;

/**
 * An attack that takes this long has no end, in milliseconds. No other attack takes a fiftieth of it on a quiet
 * machine; on a busy one, the time of other work counts too.
 */
const endlessMs = 300_000;

/**
 * Attacks an expression with texts made for it.
 * @returns the attack that takes longer than in proportion to its length, or nothing
 */
export function weaknessOf(attacked: Attacked, limitMs = endlessMs): string | undefined {
  let current: Attack | undefined;
  const tell = (next: Attack) => {
    current = next;
  };
  try {
    // Nothing but this ends an expression that is under way.
    return vm.runInNewContext('attack()', { attack: () => attack(attacked, tell) }, { timeout: limitMs });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    return `${JSON.stringify(current)}: does not end`;
  }
}

function attack(attacked: Attacked, tell: (attack: Attack) => void): string | undefined {
  const work = workOf(attacked);
  const weakness = (one: Attack) => {
    const growth = fasterThanLinear((length) => textOf(one, length), work);
    return growth && `${JSON.stringify(one)}: ${growth}`;
  };
  let finalists: readonly Trial[] = [];
  for (const one of attacksOn(attacked.expression)) {
    tell(one);
    const text = textOf(one, trialLength);
    const leastMs = finalists.length < mostFinalists ? 0 : (finalists.at(-1)?.tookMs ?? 0);
    const tookMs = minMsOf(() => work(text), leastMs);
    const found = tookMs > leastMs && tookMs > alarmingMs && weakness(one);
    if (found) return found;
    if (tookMs > leastMs) finalists = worstOf([...finalists, { attack: one, tookMs }]);
  }
  for (const { attack: one } of finalists) {
    tell(one);
    const found = weakness(one);
    if (found) return found;
  }
  return undefined;
}

function worstOf(trials: readonly Trial[]): readonly Trial[] {
  return trials.toSorted((a, b) => b.tookMs - a.tookMs).slice(0, mostFinalists);
}

function textOf({ prefix, pump, suffix }: Attack, length: number): string {
  return prefix + pump.repeat(Math.ceil(length / pump.length)) + suffix;
}

/** An expression at work as the source puts it to work. */
function workOf({ expression, splits }: Attacked): (text: string) => unknown {
  if (splits) return (text) => text.split(expression);
  return expression.global ? (text) => text.replace(expression, '') : (text) => expression.exec(text);
}

/** Repetitions of all that an expression knows, behind what it waits for and before what it cannot want. */
function* attacksOn(expression: RegExp): Generator<Attack> {
  const { kinds, words } = samplesOf(expression);
  const starts = unique(['', ...words.flatMap(prefixesOf)]);
  const pairs = kinds.flatMap((first) => kinds.map((second) => first + second));
  const pieces = words.flatMap((word) => [
    ...prefixesOf(word),
    ...prefixesOf(word).map((part) => word.slice(part.length)),
  ]);
  for (const pump of unique([...kinds, ...pairs, ...pieces])) {
    const ends = pump.length === 1 ? ['', ...kinds] : ['', '!', '\n'];
    const before = pump.length === 1 ? unique([...starts, ...kinds]) : starts;
    for (const prefix of before) for (const suffix of ends) yield { prefix, pump, suffix };
  }
}

function prefixesOf(word: string): string[] {
  return Array.from(word, (_, index) => word.slice(0, index + 1));
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter((text, index) => text !== '' || index === 0);
}
