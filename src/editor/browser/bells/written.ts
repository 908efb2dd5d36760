import type { Row } from '../form/row';
import { isVariable } from '../operations/check';
import { type Entry, isEntry, shown } from '../operations/entry';

/** The value of a row, as far as the dialog knows it. */
export type Written =
  | { readonly kind: 'value'; readonly value: unknown }
  /** The row is empty or not in the form. */
  | { readonly kind: 'nothing' }
  /** The value comes from a message, a context or the environment. */
  | { readonly kind: 'elsewhere' }
  /** The row contains invalid JSON. */
  | { readonly kind: 'unreadable' };

/** Returns the value of a row. */
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

/** Rows that code is changing. Their typedInputs report each step of a change, with outdated values. */
const writing = new WeakSet<Row>();

/** Writes JSON into a row. */
export function write(row: Row, value: unknown): void {
  show(row, { type: 'json', value: JSON.stringify(value) });
}

/** Shows an entry in a row, and triggers a single change event. */
export function show(row: Row, entry: Entry): void {
  writing.add(row);
  row.show(entry);
  writing.delete(row);
  row.input.trigger('change');
}

/** Calls a function after each change of a row. */
export function onWritten(row: Row, changed: () => void): void {
  const told = () => {
    if (!writing.has(row)) changed();
  };
  row.input.on('change', told);
  row.box.on('input', told);
}
