import Papa from 'papaparse';
import type { Finding, Placed } from './findings';

/** What was read of a text: rows, and what is wrong with the text itself. What is wrong with a row is not looked at. */
export interface ReadRows<Column extends string> {
  readonly rows: readonly Placed<Column>[];
  readonly findings: readonly Finding[];
  /** The heading itself is wrong, so what is wrong with all rows alike may follow from that. */
  readonly isHeadWrong?: boolean;
}

/** What a text is read as. */
export interface TableKind<Column extends string> {
  /** In the order of a text without a heading. */
  readonly columns: readonly Column[];
  /** How people call the columns in their lists, in small letters. */
  readonly titles: Readonly<Record<string, Column>>;
  /** What a heading must have. */
  readonly needed: Column;
  /** What a single column without a heading holds. */
  readonly alone: Column;
}

interface Line {
  readonly cells: readonly string[];
  readonly line: number;
}

/** Reads rows that were copied from a spreadsheet, or that a CSV file has. */
export function readRows<Column extends string>(text: string, kind: TableKind<Column>): ReadRows<Column> {
  const { columns, titles, alone } = kind;
  const { lines: all, findings } = linesOf(text);
  const width = Math.max(...all.map(({ cells }) => widthOf(cells)));
  const lines = withoutCaption(all, kind);
  const [first, ...others] = lines;
  if (!first) return { rows: [], findings };
  const known = first.cells.map((cell) => titleOf(cell, titles));
  if (!isHead(first, known, width)) {
    const order: readonly Column[] = width === 1 ? [alone] : columns;
    return { rows: rowsIn(lines, order, columns), findings: [...findings, ...tooWide(lines, order.length)] };
  }
  const head = headFindings(first, known, kind);
  const wide = tooWide(others, first.cells.length);
  return {
    rows: rowsIn(others, known, columns),
    findings: [...findings, ...head, ...wide].sort((a, b) => a.line - b.line),
    isHeadWrong: head.length > 0,
  };
}

/** A list may have a line above its heading that says what it is. */
function withoutCaption<Column extends string>(
  lines: readonly Line[],
  { titles }: TableKind<Column>,
): readonly Line[] {
  const [first, second] = lines;
  if (!first || !second || widthOf(first.cells) > 1) return lines;
  const known = second.cells.filter((cell) => titleOf(cell, titles) !== undefined);
  return known.length > 1 ? lines.slice(1) : lines;
}

/**
 * Whether a first line names columns. One cell alone may be the name of something as well, as of a bell that is
 * called "Start": then it names a column only beside cells that are no values, and not above rows of more cells.
 */
function isHead({ cells }: Line, known: readonly unknown[], width: number): boolean {
  const count = known.filter((column) => column !== undefined).length;
  if (count !== 1) return count > 1;
  return widthOf(cells) === 1 ? width === 1 : !cells.some(isValue);
}

/** Times, dates, numbers, addresses and names of files are no headings. */
function isValue(cell: string): boolean {
  return /\d|\S[.:]\S/.test(cell);
}

function titleOf<Meant extends string>(
  cell: string,
  titles: Readonly<Record<string, Meant>>,
): Meant | undefined {
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

/** The one of the first line that has any; tags have commas within a cell, so a comma comes last. */
function delimiterOf(text: string): string {
  const first = text.split('\n').find((line) => /[\t;,]/.test(line)) ?? '';
  return ['\t', ';'].find((delimiter) => first.includes(delimiter)) ?? ',';
}

function newlinesIn(text: string): number {
  return text.split('\n').length - 1;
}

function widthOf(cells: readonly string[]): number {
  return cells.findLastIndex((cell) => cell.trim() !== '') + 1;
}

function rowsIn<Column extends string>(
  lines: readonly Line[],
  order: readonly (Column | undefined)[],
  columns: readonly Column[],
): Placed<Column>[] {
  return lines.map(({ cells, line }) => {
    const row = Object.fromEntries(columns.map((column) => [column, ''])) as Record<Column, string>;
    for (const [place, column] of order.entries()) if (column) row[column] ||= (cells[place] ?? '').trim();
    return { row, line };
  });
}

function headFindings<Column extends string>(
  { cells, line }: Line,
  known: readonly (Column | undefined)[],
  { needed }: TableKind<Column>,
): Finding[] {
  const strange = cells.flatMap((cell, place) => {
    const column = known[place];
    const value = cell.trim();
    if (column === undefined) return value === '' ? [] : [{ line, what: 'column', words: { value } }];
    return known.indexOf(column) === place ? [] : [{ line, what: 'columnTwice', words: { value } }];
  });
  return known.includes(needed) ? strange : [...strange, { line, what: 'noColumn', words: {} }];
}

function tooWide(lines: readonly Line[], width: number): Finding[] {
  const wide = lines.filter(({ cells }) => widthOf(cells) > width);
  return wide.map(({ line }) => ({ line, what: 'tooMany', words: { count: String(width) } }));
}

window.algoRows = { readRows };
