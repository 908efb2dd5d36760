import { catalogue } from '../catalogue';
import type { Operation } from '../catalogue/operation';
import { productsInWords } from './extensions';

const begin = '<!-- operations: written by `npm run documents` -->';
const end = '<!-- /operations -->';

const head = ['Node', 'Operation', 'What it does', 'Since firmware', 'Models'];

/** Every operation as a Markdown table, its columns padded as the formatter would. */
export function operationsTable(): string {
  const rows = catalogue.flatMap(({ noun, operations }) =>
    (operations as readonly Operation[]).map(({ id, description, firmware, products }) => [
      `\`algo-${noun}\``,
      `\`${id}\``,
      description,
      firmware,
      productsInWords(products),
    ]),
  );
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/**
 * A Markdown text with the table between its markers.
 * @throws Error when the text lacks the markers
 */
export function withOperationsTable(text: string): string {
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`The text needs the lines ${begin} and ${end}`);
  return `${text.slice(0, from + begin.length)}\n\n${operationsTable()}\n\n${text.slice(to)}`;
}
