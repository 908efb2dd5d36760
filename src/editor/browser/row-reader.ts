import Papa from 'papaparse';
import { type Column, columns, type Finding, type GroupRow, type PlacedRow } from './rows';

/** What was read of a text: rows, and what is wrong with the text itself. What is wrong with a row is not looked at. */
export interface ReadRows {
  readonly rows: readonly PlacedRow[];
  readonly findings: readonly Finding[];
}

/** How people call the columns in their lists. */
const titles: Readonly<Record<string, Column>> = {
  name: 'name',
  device: 'name',
  'device name': 'name',
  address: 'address',
  'ip address': 'address',
  ip: 'address',
  host: 'address',
  hostname: 'address',
  url: 'address',
  tags: 'tags',
  tag: 'tags',
  fingerprint: 'fingerprint',
  'sha-256': 'fingerprint',
  sha256: 'fingerprint',
};

interface Line {
  readonly cells: readonly string[];
  readonly line: number;
}

/** Reads rows that were copied from a spreadsheet, or that a CSV file has. */
export function readRows(text: string): ReadRows {
  const { lines, findings } = linesOf(text);
  const [first, ...others] = lines;
  if (!first) return { rows: [], findings };
  const known = first.cells.map(titleOf);
  if (!known.some((column) => column !== undefined)) {
    const width = Math.max(...lines.map(({ cells }) => widthOf(cells)));
    const order: readonly Column[] = width === 1 ? ['address'] : columns;
    return { rows: rowsIn(lines, order), findings: [...findings, ...tooWide(lines, order.length)] };
  }
  const head = headFindings(first, known);
  const wide = tooWide(others, first.cells.length);
  return {
    rows: rowsIn(others, known),
    findings: [...findings, ...head, ...wide].sort((a, b) => a.line - b.line),
  };
}

function titleOf(cell: string): Column | undefined {
  const title = cell.trim().toLowerCase();
  return Object.hasOwn(titles, title) ? titles[title] : undefined;
}

/** The lines that hold anything, each with its number; a cell may go over several. */
function linesOf(text: string): { lines: Line[]; findings: Finding[] } {
  const plain = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const lines: Line[] = [];
  const findings: Finding[] = [];
  let [line, begin] = [1, 0];
  Papa.parse<string[]>(plain, {
    newline: '\n',
    delimiter: delimiterOf(plain),
    step: ({ data, errors, meta }) => {
      if (errors.some(({ type }) => type === 'Quotes')) findings.push({ line, what: 'quotes', words: {} });
      else if (data.some((cell) => cell.trim() !== '')) lines.push({ cells: data, line });
      line += newlinesIn(plain.slice(begin, meta.cursor));
      begin = meta.cursor;
    },
  });
  return { lines, findings };
}

/** The one of which the first line has most; tags have commas within a cell, so a comma comes last. */
function delimiterOf(text: string): string {
  const first = text.trimStart().split('\n', 1)[0] ?? '';
  return ['\t', ';'].find((delimiter) => first.includes(delimiter)) ?? ',';
}

function newlinesIn(text: string): number {
  return text.split('\n').length - 1;
}

function widthOf(cells: readonly string[]): number {
  return cells.findLastIndex((cell) => cell.trim() !== '') + 1;
}

function rowsIn(lines: readonly Line[], order: readonly (Column | undefined)[]): PlacedRow[] {
  return lines.map(({ cells, line }) => {
    const row: Record<Column, string> = { name: '', address: '', tags: '', fingerprint: '' };
    for (const [place, column] of order.entries()) if (column) row[column] ||= (cells[place] ?? '').trim();
    return { row: row satisfies GroupRow, line };
  });
}

function headFindings({ cells, line }: Line, known: readonly (Column | undefined)[]): Finding[] {
  const strange = cells.flatMap((cell, place) => {
    const column = known[place];
    const value = cell.trim();
    if (column === undefined) return value === '' ? [] : [{ line, what: 'column', words: { value } }];
    return known.indexOf(column) === place ? [] : [{ line, what: 'columnTwice', words: { value } }];
  });
  return known.includes('address') ? strange : [...strange, { line, what: 'noColumn', words: {} }];
}

function tooWide(lines: readonly Line[], width: number): Finding[] {
  const wide = lines.filter(({ cells }) => widthOf(cells) > width);
  return wide.map(({ line }) => ({ line, what: 'tooMany', words: { count: String(width) } }));
}

window.algoRows = { readRows };
