import type { RowField } from './field';

/** An entry of a node's `form`: type and value of a typedInput. */
export interface Entry {
  readonly type: string;
  readonly value: string;
}

/**
 * A node's `form`: entries, keyed by field name. A value can have any type, since a flow can be handwritten.
 */
export type Stored = Readonly<Record<string, unknown>>;

/** Whether two JSON values are equal. The order of keys does not matter. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]))
  );
}

function isObject(value: unknown): value is Stored {
  return typeof value === 'object' && value !== null;
}

/** The result has no prototype, so that a field name never leads to an inherited property. */
export function entriesOf(form: unknown): Stored {
  const usable = isObject(form) && !Array.isArray(form);
  return Object.assign(Object.create(null), usable ? form : {});
}

/** Whether a stored value is an entry. A handwritten flow can contain plain values. */
export function isEntry(entry: unknown): entry is { readonly type: string; readonly value?: unknown } {
  return isObject(entry) && typeof entry.type === 'string';
}

export function shown(entry: unknown): Entry {
  const { type, value } = isEntry(entry) ? entry : { type: 'str', value: entry };
  if (value === undefined || value === null) return { type, value: '' };
  return { type, value: typeof value === 'object' ? JSON.stringify(value) : String(value) };
}

/**
 * Returns the entry to store for the type and the text of a row: the stored entry itself if the user changed
 * nothing. Undefined for an empty text in a required field that does not accept an empty text.
 */
export function entryOf(field: RowField, type: string, value: string, stored?: unknown): unknown {
  if (stored !== undefined && same(shown(stored), { type, value })) return stored;
  if (field.required && !field.empty && value === '') return undefined;
  return { type, value };
}
