import { catalogue } from '../catalogue';
import type { Operation } from '../catalogue/operation';
import { productsInWords } from './extensions';

const begin = '<!-- operations: written by `npm run documents` -->';
const end = '<!-- /operations -->';

/** Every operation as a Markdown table. */
export function operationsTable(): string {
  const rows = catalogue.flatMap(({ noun, operations }) =>
    (operations as readonly Operation[]).map(({ id, description, firmware, products }) =>
      row([`\`algo-${noun}\``, `\`${id}\``, description, firmware, productsInWords(products)]),
    ),
  );
  const head = row(['Node', 'Operation', 'What it does', 'Since firmware', 'Models']);
  return [head, row(['---', '---', '---', '---', '---']), ...rows].join('\n');
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

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
