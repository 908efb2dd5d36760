import type { Operation, OperationGroup } from '../catalogue/operation';
import { formFields } from './field';
import { escapeHtml } from './html';
import { type KeyOf, type Words, wordAt } from './words';

/**
 * The `{{properties}}` of a node's help: each operation with its parameters, in the property lists of
 * Node-RED's style guide.
 */
export function renderProperties(group: OperationGroup, words: Words, keyOf: KeyOf): string {
  return group.operations.map((operation) => renderOperation(operation, words, keyOf)).join('\n\n');
}

function renderOperation(operation: Operation, words: Words, keyOf: KeyOf): string {
  const text = (key: string) => escapeMarkdown(wordAt(words, key));
  const { id } = operation;
  const lines = formFields(operation).map(({ name, field, required }) => {
    const key = keyOf(operation, name);
    const term = required ? name : `*${name}*`;
    return `: ${term} (${field.type}) : ${text(`${key}.help`)} ${sentence(text(`${key}.limits`))}`;
  });
  const about = `${text(`operation.${id}.help`)} ${text(`operation.${id}.availability`)}`;
  return [`#### ${text(`operation.${id}.title`)} (\`${id}\`)`, '', about, '', ...lines].join('\n').trimEnd();
}

/** Text as it may stand in Markdown. A line of a property list has two colons of its own and bears no third. */
function escapeMarkdown(text: string): string {
  return escapeHtml(text)
    .replace(/[*_`[\]\\]/g, '\\$&')
    .replaceAll(':', '&#58;');
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
