import type { RowField } from './field';

/** What a node's `form` holds for one field: where its value comes from, and the value or its place, as text. */
export interface Entry {
  readonly type: string;
  readonly value: string;
}

/** A node's `form` by the names of fields. What is stored may be anything: a flow can be written by hand. */
export type Stored = Readonly<Record<string, unknown>>;

/** Whether two plain JSON values are equal; the order of keys does not matter. */
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

/**
 * The stored entries, whatever was stored: a form that is none counts as empty. Without a prototype, so that
 * a field's name never finds something that nobody stored.
 */
export function entriesOf(form: unknown): Stored {
  const usable = isObject(form) && !Array.isArray(form);
  return Object.assign(Object.create(null), usable ? form : {});
}

/** Whether a stored entry is one; flows written by hand may hold bare values. */
export function isEntry(entry: unknown): entry is { readonly type: string; readonly value?: unknown } {
  return isObject(entry) && typeof entry.type === 'string';
}

/** How an entry is shown: its type, and its value as text. */
export function shown(entry: unknown): Entry {
  const { type, value } = isEntry(entry) ? entry : { type: 'str', value: entry };
  if (value === undefined || value === null) return { type, value: '' };
  return { type, value: typeof value === 'object' ? JSON.stringify(value) : String(value) };
}

/**
 * What to store for a row that shows `type` and `value`: what was stored if it shows the same, nothing for
 * a required field that is still empty, else the two.
 */
export function entryOf(field: RowField, type: string, value: string, stored?: unknown): unknown {
  if (stored !== undefined && same(shown(stored), { type, value })) return stored;
  if (field.required && !field.empty && value === '') return undefined;
  return { type, value };
}
