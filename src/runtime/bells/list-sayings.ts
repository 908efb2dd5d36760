import type { Text } from '../../catalogue/localized-message';

/**
 * The localized messages of the lists in responses. The lists themselves leave with a message, in English.
 */
const kept = new WeakMap<readonly unknown[], readonly Text[]>();

export function keepSayings(list: readonly unknown[], said: readonly Text[]): void {
  kept.set(list, said);
}

/** Returns the English sentences in the lists of a response, each with its localized message. */
export function sentencesIn(answer: unknown): readonly (readonly [english: string, said: Text])[] {
  if (typeof answer !== 'object' || answer === null || Buffer.isBuffer(answer)) return [];
  const sayings = Object.values(answer).flatMap((list) => kept.get(list) ?? []);
  return sayings.map((said) => [String(said), said] as const);
}
