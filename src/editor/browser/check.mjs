/** A value that Node-RED replaces as a whole before the node sees it. */
const environment = /^\$\{[^}]+\}$/;

/** Types whose value is written in the dialog, not looked up at run time. */
const literals = ['str', 'num', 'bool'];

/**
 * What is wrong with one entry of `form`, as a key of the locale file's `form.invalid`; undefined if nothing
 * is. `entry` is `{ type, value }`, or undefined for a field that is not sent.
 */
export function checkEntry(field, entry) {
  if (entry === undefined) return field.required ? 'required' : undefined;
  if (field.unknown) return 'unknown';
  if (entry === null || typeof entry !== 'object' || typeof entry.type !== 'string') return 'entry';
  const text = String(entry.value ?? '');
  if (environment.test(text)) return undefined;
  if (!literals.includes(entry.type)) return checkSource(entry.type, text);
  if (text === '' && (entry.type !== 'str' || field.required)) return 'required';
  return fits(field, entry.type, text) ? undefined : 'value';
}

function fits(field, type, text) {
  if (type === 'num' && !isNumber(text)) return false;
  if (field.enum) return field.enum.includes(text);
  if (field.pattern) return new RegExp(field.pattern, 'u').test(text);
  if (field.type === 'boolean') return ['true', 'false'].includes(text);
  if (field.type === 'string') return within(text.length, field.minLength, field.maxLength);
  if (!isNumber(text) || (field.type === 'integer' && !Number.isInteger(Number(text)))) return false;
  return within(Number(text), field.minimum, field.maximum);
}

function isNumber(text) {
  return text.trim() !== '' && Number.isFinite(Number(text));
}

function within(number, minimum = -Infinity, maximum = Infinity) {
  return number >= minimum && number <= maximum;
}

function checkSource(type, text) {
  if (!['json', 'msg', 'flow', 'global', 'env', 'jsonata'].includes(type)) return 'type';
  if (text === '') return 'required';
  return type === 'env' || RED.utils.validateTypedProperty(text, type) === true ? undefined : type;
}
