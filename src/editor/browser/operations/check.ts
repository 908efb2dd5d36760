import type { Field } from '../../../catalogue/operation';
import { takes as takesField, unknown } from '../../judge';
import { isEntry } from './entry';
import type { RowField } from './field';

/**
 * Matches a text that is exactly one `${NAME}`. Node-RED replaces such a text with the value of the variable
 * before the node starts.
 */
const environment = /^\$\{[^}]+\}$/;

/** Types of a typedInput for which the user writes the value itself into the dialog. */
export const literals: readonly string[] = ['str', 'num', 'bool'];

/** Types of a typedInput for which the runtime looks up or parses the value. */
const sources: readonly string[] = ['json', 'msg', 'flow', 'global', 'env', 'jsonata'];

type Stored = { readonly type: string; readonly value?: unknown };

/**
 * @param entry `{ type, value }`, or undefined for a field that is not sent
 * @returns a key under `form.invalid` in the locale file; undefined for a valid entry
 */
export function checkEntry(field: RowField, entry: unknown): string | undefined {
  if (entry === undefined) return field.required ? 'required' : undefined;
  if (field.unknown) return 'unknown';
  if (!isEntry(entry)) return 'entry';
  const text = String(entry.value ?? '');
  if (isVariable(text)) return undefined;
  if (!literals.includes(entry.type)) return checkSource(entry) ?? checkJson(field, entry);
  if (entry.value === undefined || entry.value === null) return 'required';
  const isText = entry.type === 'str' && (field.empty || (!field.required && takes(field, '')));
  if (text === '' && !isText) return 'required';
  return isWritten(entry.type, text) && takes(field, readValue(entry)) ? undefined : 'value';
}

function takes(field: RowField, value: unknown): boolean {
  return takesField(field as unknown as Field, value);
}

export function isVariable(text: string): boolean {
  return environment.test(text);
}

/**
 * Returns the value that the runtime reads from a valid entry; `unknown` if the value is known only at run
 * time.
 */
export function readValue({ type, value }: Stored): unknown {
  if (isVariable(String(value ?? ''))) return unknown;
  if (type === 'num') return Number(value);
  if (type === 'bool') return String(value) === 'true';
  if (type === 'json') return typeof value === 'string' ? JSON.parse(value) : value;
  return type === 'str' ? value : unknown;
}

function isWritten(type: string, text: string): boolean {
  if (type === 'num') return text.trim() !== '' && Number.isFinite(Number(text));
  return type === 'str' || ['true', 'false'].includes(text);
}

function checkSource({ type, value }: Stored): string | undefined {
  if (!sources.includes(type)) return 'type';
  // A handwritten flow can contain the object itself instead of its JSON.
  if (type === 'json' && typeof value === 'object' && value !== null) return undefined;
  const text = String(value ?? '');
  if (text === '') return 'required';
  return type === 'env' || RED.utils.validateTypedProperty(text, type) === true ? undefined : type;
}

function checkJson(field: RowField, entry: Stored): string | undefined {
  if (entry.type !== 'json') return undefined;
  const value = readValue(entry);
  if (field.type === 'array' && Array.isArray(value)) return undefined;
  return takes(field, value) ? undefined : 'value';
}
