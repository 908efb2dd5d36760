import type { Row } from '../form/row';
import { isVariable } from '../operations/check';
import { type Entry, isEntry, shown } from '../operations/entry';

/** What a row holds, as far as the dialog can tell. */
export type Written =
  | { readonly kind: 'value'; readonly value: unknown }
  /** Nothing is sent, or nothing was written yet. */
  | { readonly kind: 'nothing' }
  /** It comes with a message, from a context, from the environment. */
  | { readonly kind: 'elsewhere' }
  /** JSON that is none. */
  | { readonly kind: 'unreadable' };

/** What is written in a row. */
export function writtenIn(row: Row): Written {
  const entry = row.entry();
  if (entry === undefined || !isEntry(entry)) return { kind: entry === undefined ? 'nothing' : 'unreadable' };
  const { type, value } = shown(entry);
  if (isVariable(value)) return { kind: 'elsewhere' };
  if (type === 'str') return value === '' ? { kind: 'nothing' } : { kind: 'value', value };
  if (type === 'num') return value === '' ? { kind: 'nothing' } : { kind: 'value', value: Number(value) };
  if (type === 'bool') return { kind: 'value', value: value === 'true' };
  if (type !== 'json') return { kind: 'elsewhere' };
  if (value.trim() === '') return { kind: 'nothing' };
  try {
    return { kind: 'value', value: JSON.parse(value) };
  } catch {
    return { kind: 'unreadable' };
  }
}

/** Rows that are being written: a typedInput tells of each step of it, with what was there before. */
const writing = new WeakSet<Row>();

/** Writes JSON into a row. */
export function write(row: Row, value: unknown): void {
  show(row, { type: 'json', value: JSON.stringify(value) });
}

/** Shows an entry in a row, and tells of it once. */
export function show(row: Row, entry: Entry): void {
  writing.add(row);
  row.show(entry);
  writing.delete(row);
  row.input.trigger('change');
}

/** Calls back whenever something else is written in a row. */
export function onWritten(row: Row, changed: () => void): void {
  const told = () => {
    if (!writing.has(row)) changed();
  };
  row.input.on('change', told);
  row.box.on('input', told);
}
