import type { Text } from '../../catalogue/localized-message';

/** What the sentences in an answer's lists are made of, by the list: the answer leaves with a message, in English. */
const kept = new WeakMap<readonly unknown[], readonly Text[]>();

export function keepSayings(list: readonly unknown[], said: readonly Text[]): void {
  kept.set(list, said);
}

/** The sentences in an answer's lists with what each is made of, to be said in other languages too. */
export function sentencesIn(answer: unknown): readonly (readonly [english: string, said: Text])[] {
  if (typeof answer !== 'object' || answer === null || Buffer.isBuffer(answer)) return [];
  const sayings = Object.values(answer).flatMap((list) => kept.get(list) ?? []);
  return sayings.map((said) => [String(said), said] as const);
}
