import type { Text } from '../../catalogue/localized-message';

/**
 * For each list of an answer, the localized messages of its sentences. The list itself is in English, since
 * it becomes part of a Node-RED message.
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
