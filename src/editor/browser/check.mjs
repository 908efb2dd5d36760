import { takes, unknown } from '../judge.ts';

/** A value that Node-RED replaces as a whole before the node sees it. */
const environment = /^\$\{[^}]+\}$/;

/** Types whose value is written in the dialog, not looked up at run time. */
export const literals = ['str', 'num', 'bool'];

/**
 * What is wrong with one entry of `form`, as a key of the locale file's `form.invalid`; undefined if nothing
 * is. `entry` is `{ type, value }`, or undefined for a field that is not sent. What is inside an object or a list
 * is left to `problems.mjs`.
 */
export function checkEntry(field, entry) {
  if (entry === undefined) return field.required ? 'required' : undefined;
  if (field.unknown) return 'unknown';
  if (entry === null || typeof entry !== 'object' || typeof entry.type !== 'string') return 'entry';
  const text = String(entry.value ?? '');
  if (isVariable(text)) return undefined;
  if (!literals.includes(entry.type)) return checkSource(entry) ?? checkJson(field, entry);
  if (entry.value === undefined || entry.value === null) return 'required';
  const isText = entry.type === 'str' && (field.empty || (!field.required && takes(field, '')));
  if (text === '' && !isText) return 'required';
  return isWritten(entry.type, text) && takes(field, readValue(entry)) ? undefined : 'value';
}

/** Whether a text stands for an environment variable. */
export function isVariable(text) {
  return environment.test(text);
}

/** The value that the runtime reads from a good entry; `unknown` for what is known only then. */
export function readValue({ type, value }) {
  if (isVariable(String(value ?? ''))) return unknown;
  if (type === 'num') return Number(value);
  if (type === 'bool') return String(value) === 'true';
  if (type === 'json') return typeof value === 'string' ? JSON.parse(value) : value;
  return type === 'str' ? value : unknown;
}

/** Whether a text is a literal of its type at all. */
function isWritten(type, text) {
  if (type === 'num') return text.trim() !== '' && Number.isFinite(Number(text));
  return type === 'str' || ['true', 'false'].includes(text);
}

function checkSource({ type, value }) {
  if (!['json', 'msg', 'flow', 'global', 'env', 'jsonata'].includes(type)) return 'type';
  // Flows written by hand may hold the object itself.
  if (type === 'json' && typeof value === 'object' && value !== null) return undefined;
  const text = String(value ?? '');
  if (text === '') return 'required';
  return type === 'env' || RED.utils.validateTypedProperty(text, type) === true ? undefined : type;
}

function checkJson(field, entry) {
  if (entry.type !== 'json') return undefined;
  const value = readValue(entry);
  if (field.type === 'array' && Array.isArray(value)) return undefined;
  return takes(field, value) ? undefined : 'value';
}
