/** A value that Node-RED replaces as a whole before the node sees it. */
const environment = /^\$\{[^}]+\}$/;

/** Types whose value is written in the dialog, not looked up at run time. */
export const literals = ['str', 'num', 'bool'];

/**
 * What is wrong with one entry of `form`, as a key of the locale file's `form.invalid`; undefined if nothing
 * is. `entry` is `{ type, value }`, or undefined for a field that is not sent.
 */
export function checkEntry(field, entry) {
  if (entry === undefined) return field.required ? 'required' : undefined;
  if (field.unknown) return 'unknown';
  if (entry === null || typeof entry !== 'object' || typeof entry.type !== 'string') return 'entry';
  const text = String(entry.value ?? '');
  if (isVariable(text)) return undefined;
  if (!literals.includes(entry.type)) return checkSource(entry.type, entry.value);
  if (text === '' && !field.empty && (entry.type !== 'str' || field.required)) return 'required';
  return fits(field, entry.type, text) ? undefined : 'value';
}

/** Whether a text stands for an environment variable. */
export function isVariable(text) {
  return environment.test(text);
}

function fits(field, type, text) {
  if (type === 'num' && !isNumber(text)) return false;
  if (isNamed(field, text)) return true;
  if (field.enum) return field.enum.includes(text);
  if (field.pattern) return new RegExp(field.pattern, 'u').test(text);
  const kind = kinds[field.type] ?? kinds.number;
  return kind(field, type, text);
}

/** What values a field of a type takes; of a number unless said. */
const kinds = {
  any: () => true,
  array: () => false,
  object: () => false,
  binary: ({ encoding }, type) => encoding !== undefined && type === 'str',
  boolean: (_, __, text) => ['true', 'false'].includes(text),
  setting: (_, type) => type !== 'bool',
  string: ({ minLength, maxLength }, _, text) => within(text.length, minLength, maxLength),
  number: (field, _, text) =>
    isNumber(text) &&
    (field.type !== 'integer' || Number.isInteger(Number(text))) &&
    within(Number(text), field.minimum, field.maximum),
};

/** Names are known whatever their capitals, the wire's own words are not. */
function isNamed({ names = [], words = [] }, text) {
  return words.includes(text) || names.some((name) => name.toLowerCase() === text.toLowerCase());
}

function isNumber(text) {
  return text.trim() !== '' && Number.isFinite(Number(text));
}

function within(number, minimum = -Infinity, maximum = Infinity) {
  return number >= minimum && number <= maximum;
}

function checkSource(type, value) {
  if (!['json', 'msg', 'flow', 'global', 'env', 'jsonata'].includes(type)) return 'type';
  // Flows written by hand may hold the object itself.
  if (type === 'json' && typeof value === 'object' && value !== null) return undefined;
  const text = String(value ?? '');
  if (text === '') return 'required';
  return type === 'env' || RED.utils.validateTypedProperty(text, type) === true ? undefined : type;
}
