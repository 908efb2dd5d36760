import type { Operation, OperationGroup } from '../catalogue/operation';
import { type Usual, usualOf } from './delivery';
import type { Language } from './language';

/** What the help says of "Delivery", from the catalogue: which limits count by themselves, and what ends what. */
export function renderDeliveryHelp({ operations }: OperationGroup, language: Language): string {
  const limits = [
    usualSentence(operations, 'ttl', 'delivery.limit', language),
    usualSentence(operations, 'retryFor', 'delivery.again', language),
  ];
  const ends = operations.flatMap((operation) => endSentence(operation, operations, language));
  const survives = ends.length > 0 ? [language.help('delivery.survives')] : [];
  return [limits.filter(Boolean).join(' '), [...ends, ...survives].join(' ')].filter(Boolean).join('\n\n');
}

/** One sentence for the operations of which an empty field stands for some seconds; they are the same for all. */
function usualSentence(
  operations: readonly Operation[],
  property: keyof Usual,
  key: string,
  { help, titles }: Language,
): string {
  const having = operations.filter((operation) => usualOf(operation)[property] > 0);
  const [first] = having;
  if (!first) return '';
  return help(key, { seconds: String(usualOf(first)[property]), operations: titles(having) });
}

function endSentence(
  operation: Operation,
  operations: readonly Operation[],
  { help, titles }: Language,
): string[] {
  const { end } = operation;
  if (!end) return [];
  const words = {
    operations: titles([operation]),
    end: titles(operations.filter(({ id }) => id === end.by)),
    field: end.field ?? '',
  };
  return [help(end.field ? 'delivery.endsItself' : 'delivery.endedBy', words)];
}
