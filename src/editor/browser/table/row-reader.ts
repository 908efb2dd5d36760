import Papa from 'papaparse';
import type { Finding, Placed } from './findings';

/** The rows of a text, and the problems of its format. The content of the rows is not checked. */
export interface ReadRows<Column extends string> {
  readonly rows: readonly Placed<Column>[];
  readonly findings: readonly Finding[];
  /** Whether the heading is wrong. A wrong heading can cause the same finding in all rows. */
  readonly isHeadWrong?: boolean;
}

export interface TableKind<Column extends string> {
  /** All columns, in their order in a text without a heading. */
  readonly columns: readonly Column[];
  readonly titles: Readonly<Record<string, Column>>;
  readonly needed: Column;
  /** The column to which a text with a single column and without a heading belongs. */
  readonly alone: Column;
  /** Pattern of the names in the first line of a table that has a column, not a line, for each of its names. */
  readonly acrossNames?: RegExp;
}

interface TextRow {
  readonly cells: readonly string[];
  readonly line: number;
}

export function readRows<Column extends string>(text: string, kind: TableKind<Column>): ReadRows<Column> {
  const { columns, titles, alone, acrossNames } = kind;
  const { lines: read, findings } = linesOf(text);
  const all = acrossNames ? turned(read, acrossNames) : read;
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

/** Turns a line of names and a line of values into a line for each name. Other tables stay as they are. */
function turned(lines: readonly TextRow[], names: RegExp): readonly TextRow[] {
  const [head, values, ...others] = lines;
  if (!head || !values || others.length > 0) return lines;
  const isName = (cell = '') => names.test(cell.trim());
  // Two lines of two cells can also be two names with their values.
  const isAcross = head.cells.every(isName) && (head.cells.length !== 2 || !isName(values.cells[0]));
  if (!isAcross) return lines;
  return head.cells.map((name, index) => ({ cells: [name, values.cells[index] ?? ''], line: values.line }));
}

function withoutCaption<Column extends string>(
  lines: readonly TextRow[],
  { titles }: TableKind<Column>,
): readonly TextRow[] {
  const [first, second] = lines;
  if (!first || !second || widthOf(first.cells) > 1) return lines;
  const known = second.cells.filter((cell) => titleOf(cell, titles) !== undefined);
  return known.length > 1 ? lines.slice(1) : lines;
}

/**
 * If only one cell is a known title, the cell might be a value, such as the name "Start" of a bell. In this
 * case, a line of one cell is a heading if all lines have one cell, and a longer line is a heading if no cell
 * looks like a value.
 */
function isHead({ cells }: TextRow, known: readonly unknown[], width: number): boolean {
  const count = known.filter((column) => column !== undefined).length;
  if (count !== 1) return count > 1;
  return widthOf(cells) === 1 ? width === 1 : !cells.some(isValue);
}

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

/**
 * Returns the text of a file: UTF-16 with a byte order mark (as "Unicode text" of a spreadsheet), UTF-8 if the
 * bytes are valid UTF-8 or have its byte order mark, otherwise Windows-1252 (as "CSV" of a spreadsheet).
 */
export function decodeTextFile(content: ArrayBuffer): string {
  const [first, second, third] = new Uint8Array(content);
  const decode = (encoding: string, fatal = false) => new TextDecoder(encoding, { fatal }).decode(content);
  if (first === 0xff && second === 0xfe) return decode('utf-16le');
  if (first === 0xfe && second === 0xff) return decode('utf-16be');
  if (first === 0xef && second === 0xbb && third === 0xbf) return decode('utf-8');
  try {
    return decode('utf-8', true);
  } catch {
    return decode('windows-1252');
  }
}

/**
 * Splits a text into lines, with their numbers and without empty lines. A quoted cell can span several lines.
 */
function linesOf(text: string): { lines: TextRow[]; findings: Finding[] } {
  const plain = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const lines: TextRow[] = [];
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

/**
 * Returns the delimiter of the first line that contains a delimiter. The comma comes last, since a cell with
 * tags contains commas too.
 */
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
  lines: readonly TextRow[],
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
  { cells, line }: TextRow,
  known: readonly (Column | undefined)[],
  { needed }: TableKind<Column>,
): Finding[] {
  const strange = cells.flatMap((cell, index) => {
    const column = known[index];
    const value = cell.trim();
    if (column === undefined) return value === '' ? [] : [{ line, what: 'column', words: { value } }];
    return known.indexOf(column) === index ? [] : [{ line, what: 'columnTwice', words: { value } }];
  });
  return known.includes(needed) ? strange : [...strange, { line, what: 'noColumn', words: {} }];
}

function tooWide(lines: readonly TextRow[], width: number): Finding[] {
  const wide = lines.filter(({ cells }) => widthOf(cells) > width);
  return wide.map(({ line }) => ({ line, what: 'tooMany', words: { count: String(width) } }));
}

window.algoRows = { readRows, decodeTextFile };
