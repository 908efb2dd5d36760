import { normalized } from './formats';
import type { Field, Fields, Parameters, Shape, When } from './operation';

const maxSize = 500_000;

/**
 * Limits the size of a message's parameters to 500,000 characters. Each value counts as ten characters in
 * addition to its text. Checking larger parameters would block Node-RED.
 */
export class Budget {
  /** Path to the value that exceeded the budget; undefined while the budget is not exceeded. */
  exceededAt: string[] | undefined;
  private left = maxSize;

  spend(values: number, characters = 0): boolean {
    this.left -= 10 * values + characters;
    if (this.left < 0) this.exceededAt ??= [];
    return this.exceededAt === undefined;
  }

  /** Whether the value with this name exceeded the budget. If so, adds the name to the path `exceededAt`. */
  isExceededIn(name: string): boolean {
    this.exceededAt?.unshift(name);
    return this.exceededAt !== undefined;
  }
}

/**
 * Converts each parameter to the type of its field if no information is lost, for example `'5'` to 5. Drops
 * undefined parameters. From an existing record, also drops the fields that the device generates. Stops when
 * the budget is exceeded.
 */
export function coerceParameters(
  { fields, others }: Pick<Shape, 'fields' | 'others'>,
  raw: Parameters,
  budget = new Budget(),
): Record<string, unknown> {
  const coerced: Record<string, unknown> = {};
  const names = Object.keys(raw);
  if (!budget.spend(names.length)) return coerced;
  for (const name of names) {
    const value = raw[name];
    if (value === undefined || isGenerated(fields, name, raw)) continue;
    const field = Object.hasOwn(fields, name) ? fields[name] : others?.value;
    put(coerced, name, field ? coerce(field, value, budget) : value);
    if (budget.isExceededIn(name)) break;
  }
  return coerced;
}

/** Sets a property, even `__proto__`: a later check must find and reject this name. */
function put(record: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') record[name] = value;
  else Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
}

export function holds(when: When, given: Parameters): boolean {
  return Object.entries(when).every(([name, values]) => {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined || values.length === 0) return value !== undefined;
    return isScalar(value) && values.includes(String(value));
  });
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function isGenerated(fields: Fields, name: string, record: Parameters): boolean {
  const generated = Object.hasOwn(fields, name) ? fields[name]?.generated : undefined;
  if (!generated || !holds({ [generated.id]: [] }, record)) return false;
  return !generated.except || !holds(generated.except, record);
}

function coerce(field: Field, value: unknown, budget: Budget): unknown {
  if (field.type === 'object') {
    const { properties: fields = {} } = field;
    return isPlainObject(value) ? coerceParameters({ fields }, value, budget) : value;
  }
  if (field.type === 'array') return Array.isArray(value) ? coerceList(field, value, budget) : value;
  if (typeof value === 'string' && isCounted(field) && !budget.spend(0, value.length)) return value;
  return nameIn(field, value) ?? coerceScalar(field, value);
}

/**
 * Whether the length of a text counts. The text of a field of type `binary` or `any` is not checked, and a field whose
 * own limit is higher than that of the message is meant for a whole file.
 */
function isCounted({ type, maxLength = 0 }: Field): boolean {
  return type !== 'binary' && type !== 'any' && maxLength <= maxSize;
}

/** A list that is too long stays unchanged: the validator rejects the list. */
function coerceList({ items, maxItems }: Field, list: readonly unknown[], budget: Budget): unknown {
  if (!budget.spend(list.length) || !items) return list;
  if (list.length > (maxItems ?? Number.POSITIVE_INFINITY)) return list;
  const coerced: unknown[] = [];
  for (let index = 0; index < list.length; index += 1) {
    coerced.push(coerce(items, list[index], budget));
    if (budget.isExceededIn(String(index))) break;
  }
  return coerced;
}

function coerceScalar(field: Field, value: unknown): unknown {
  if (field.type === 'string') return toText(field, value);
  if (field.type === 'setting') return Number.isFinite(value) ? String(value) : value;
  if (field.type === 'boolean') return toBoolean(value);
  if (field.type === 'flag') return value === '0' || value === '1' ? Number(value) : toBoolean(value);
  if (field.type === 'binary') {
    return typeof value === 'string' && field.encoding ? Buffer.from(value, field.encoding) : value;
  }
  return field.type === 'any' ? value : toNumber(value);
}

function nameIn({ names }: Field, value: unknown): string | undefined {
  if (!names || typeof value !== 'string') return undefined;
  const found = spellings.get(names) ?? new Map(names.map((name) => [name.toLowerCase(), name]));
  spellings.set(names, found);
  return found.get(value.toLowerCase());
}

/**
 * Cache: the listed spelling of each name, keyed by lowercase form. One message can contain thousands of
 * names.
 */
const spellings = new WeakMap<readonly string[], ReadonlyMap<string, string>>();

function toText({ format }: Field, value: unknown): unknown {
  const text = typeof value === 'boolean' || Number.isFinite(value) ? String(value) : value;
  return typeof text === 'string' && format ? normalized(format, text) : text;
}

function toBoolean(value: unknown): unknown {
  if (value === 'true') return true;
  if (value === 'false') return false;
  return value;
}

function toNumber(value: unknown): unknown {
  if (typeof value !== 'string' || value === '') return value;
  const number = Number(value);
  return Number.isFinite(number) && String(number) === value ? number : value;
}

/** Whether a value is a plain object as in JSON: not a list, a Buffer or an instance of a class. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Objects of a function node come from another realm with another `Object.prototype`.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
