import { isVariable, readValue } from '../operations/check';
import { isEntry, type Stored } from '../operations/entry';
import type { Row } from './row';

const written = ['str', 'num', 'bool', 'json'];

/**
 * Returns the values of a form as JSON. An example, or a value such as 0, replaces a value that is missing or
 * that only the runtime knows.
 * @param rows rows of the form, with the examples
 */
export function skeletonOf(entries: Stored, rows: readonly Row[]): string {
  const values: Record<string, unknown> = {};
  const demanded = rows.filter(({ isInForm, field }) => isInForm && !field.foremost);
  const missing = demanded.filter(({ name }) => !(name in entries)).map(({ name }) => name);
  for (const name of [...missing, ...Object.keys(entries)]) {
    const row = rows.find((one) => one.name === name);
    put(values, row, name, writtenIn(entries[name]) ?? exampleOf(row));
  }
  return JSON.stringify(values);
}

function exampleOf(row: Row | undefined): unknown {
  const { example, literal, type } = row?.field ?? {};
  if (example !== undefined) return example;
  if (type === 'array') return [];
  return literal === 'bool' ? false : literal === 'num' ? 0 : '';
}

function writtenIn(entry: unknown): unknown {
  if (!isEntry(entry) || !written.includes(entry.type)) return undefined;
  const text = String(entry.value ?? '');
  if (text === '' || isVariable(text)) return undefined;
  try {
    return readValue(entry);
  } catch {
    return undefined;
  }
}

function put(values: Record<string, unknown>, row: Row | undefined, name: string, value: unknown): void {
  const object = row?.element.closest<HTMLElement>('[data-object]')?.dataset.object;
  if (object === undefined) values[name] = value;
  else values[object] = { ...Object(values[object]), [name.slice(object.length + 1)]: value };
}
