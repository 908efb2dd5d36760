/** Whether two plain JSON values are equal; the order of keys does not matter. */
export function same(a, b) {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]))
  );
}

/**
 * The stored entries, whatever was stored: a form that is none counts as empty. Without a prototype, so that
 * a field's name never finds something that nobody stored.
 */
export function entriesOf(form) {
  const usable = form !== null && typeof form === 'object' && !Array.isArray(form);
  return Object.assign(Object.create(null), usable ? form : {});
}

/** How an entry is shown: its type, and its value as text. Flows written by hand may hold bare values. */
export function shown(entry) {
  const bare = entry === null || typeof entry !== 'object' || typeof entry.type !== 'string';
  const { type, value } = bare ? { type: 'str', value: entry } : entry;
  if (value === undefined || value === null) return { type, value: '' };
  return { type, value: typeof value === 'object' ? JSON.stringify(value) : String(value) };
}

/**
 * What to store for a row that shows `type` and `value`: what was stored if it shows the same, nothing for
 * "not sent" and for a required field that is still empty, else the two.
 */
export function entryOf(field, type, value, stored) {
  if (stored !== undefined && same(shown(stored), { type, value })) return stored;
  if (type === 'none' || (field.required && !field.empty && value === '')) return undefined;
  return { type, value };
}
