import type { Row } from '../form/row';
import { isVariable } from '../operations/check';
import { type Entry, isEntry, shown } from '../operations/entry';

/** The value of a row, or the reason why the dialog does not know the value. */
export type RowValue =
  | { readonly kind: 'value'; readonly value: unknown }
  /** The row is empty or not in the form. */
  | { readonly kind: 'nothing' }
  /**
   * Only the runtime knows the value, since the value comes from a message, a context, the environment or
   * JSONata.
   */
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'unreadable' };

export function readRow(row: Row): RowValue {
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

/**
 * Rows that code is changing at the moment. Change events of these rows are ignored, since their values are
 * not final.
 */
const writing = new WeakSet<Row>();

export function writeRow(row: Row, value: unknown): void {
  show(row, { type: 'json', value: JSON.stringify(value) });
}

/** Replaces the entry of a row. Listeners of `onRowChange` are called once, after the whole change. */
export function show(row: Row, entry: Entry): void {
  writing.add(row);
  row.show(entry);
  writing.delete(row);
  row.input.trigger('change');
}

export function onRowChange(row: Row, changed: () => void): void {
  const notify = () => {
    if (!writing.has(row)) changed();
  };
  row.input.on('change', notify);
  row.box.on('input', notify);
}
