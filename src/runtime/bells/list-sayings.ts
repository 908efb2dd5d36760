import type { Text } from '../../catalogue/saying';

/** What the sentences in an answer's lists are made of, by the list: the answer leaves with a message, in English. */
const kept = new WeakMap<readonly unknown[], readonly Text[]>();

export function keepSayings(list: readonly unknown[], said: readonly Text[]): void {
  kept.set(list, said);
}

/** The sentences in an answer's lists, by the names of these, to be said in other languages too. */
export function listSayings(answer: unknown): Readonly<Record<string, readonly Text[]>> {
  if (typeof answer !== 'object' || answer === null || Buffer.isBuffer(answer)) return {};
  const lists = Object.entries(answer).map(([name, list]) => [name, kept.get(list)] as const);
  return Object.fromEntries(lists.flatMap(([name, said]) => (said ? [[name, said]] : [])));
}
