import type { Text } from '../../catalogue/saying';

/** What the warnings of an answer are made of, by their list: the answer itself leaves with a message, in English. */
const kept = new WeakMap<readonly string[], readonly Text[]>();

export function keepSayings(warnings: readonly string[], said: readonly Text[]): void {
  kept.set(warnings, said);
}

/** The warnings of an answer, to be said in other languages too. */
export function sayingsOfWarnings(warnings: unknown): readonly Text[] | undefined {
  return Array.isArray(warnings) ? kept.get(warnings) : undefined;
}
