import type { Field } from '../../../catalogue/operation';
import { takes as takesField, unknown } from '../../judge';
import { isEntry } from './entry';
import type { RowField } from './field';

/** A text that Node-RED replaces as a whole before the node sees it. */
const environment = /^\$\{[^}]+\}$/;

/** Types whose value is written in the dialog. */
export const literals: readonly string[] = ['str', 'num', 'bool'];

/** Types whose value comes from another source, or is written as JSON. */
const sources: readonly string[] = ['json', 'msg', 'flow', 'global', 'env', 'jsonata'];

type Stored = { readonly type: string; readonly value?: unknown };

/**
 * Checks one entry of `form`. Objects and lists are checked in `problems.ts`.
 * @param entry `{ type, value }`, or undefined for a field that is not sent
 * @returns a key of `form.invalid` in the locale file; undefined for a valid entry
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

/** Checks a value. A row has all properties of a field that the check reads. */
function takes(field: RowField, value: unknown): boolean {
  return takesField(field as unknown as Field, value);
}

/** Whether a text is a reference to an environment variable. */
export function isVariable(text: string): boolean {
  return environment.test(text);
}

/** Returns the value that the runtime reads from a valid entry; `unknown` if only the runtime knows it. */
export function readValue({ type, value }: Stored): unknown {
  if (isVariable(String(value ?? ''))) return unknown;
  if (type === 'num') return Number(value);
  if (type === 'bool') return String(value) === 'true';
  if (type === 'json') return typeof value === 'string' ? JSON.parse(value) : value;
  return type === 'str' ? value : unknown;
}

/** Whether a text is a valid literal of its type. */
function isWritten(type: string, text: string): boolean {
  if (type === 'num') return text.trim() !== '' && Number.isFinite(Number(text));
  return type === 'str' || ['true', 'false'].includes(text);
}

function checkSource({ type, value }: Stored): string | undefined {
  if (!sources.includes(type)) return 'type';
  // A flow that was written by hand can contain the object itself.
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
