import type { Text } from '../../catalogue/localized-message';

/**
 * The localized messages of the sentences in a list, by list. The list itself is in English, since a Node-RED
 * message contains the list.
 */
const messagesOfLists = new WeakMap<readonly unknown[], readonly Text[]>();

export function keepLocalizedMessages(list: readonly unknown[], messages: readonly Text[]): void {
  messagesOfLists.set(list, messages);
}

export function sentencesIn(answer: unknown): readonly (readonly [english: string, message: Text])[] {
  if (typeof answer !== 'object' || answer === null || Buffer.isBuffer(answer)) return [];
  const messages = Object.values(answer).flatMap((list) => messagesOfLists.get(list) ?? []);
  return messages.map((message) => [String(message), message] as const);
}
