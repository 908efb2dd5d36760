import type { Text } from '../../catalogue/localized-message';

/**
 * The localized messages for lists in responses, by list. The lists themselves are in English, since they
 * become part of a message.
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
