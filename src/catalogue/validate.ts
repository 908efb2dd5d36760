import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import { coerceParameters } from './coerce';
import { formats } from './formats';
import type { Field, Fields, Operation } from './operation';

/** What `checkParameters` found: the parameters as they go out, or sentences that begin with a field's name. */
export type Checked =
  | { readonly ok: true; readonly parameters: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly findings: readonly string[] };

const ajv = new Ajv2020({
  allErrors: true,
  strict: true,
  strictRequired: false,
  strictTypes: false,
  formats: Object.fromEntries(Object.entries(formats).map(([name, { accepts }]) => [name, accepts])),
});
ajv.addVocabulary(['unit', 'firmware', 'earlier', 'products']);

/** Compiled once per operation; nothing in here outlives or changes its operation. */
const compiled = new WeakMap<Operation, ValidateFunction>();

/**
 * Coerces the parameters of an operation to the types of the wire and checks them against its fields.
 * Undefined means absent; unknown names are refused, since a misspelt one must not vanish.
 */
export function checkParameters(operation: Operation, raw: Readonly<Record<string, unknown>>): Checked {
  const parameters = coerceParameters(operation.fields, raw);
  const validate = validatorOf(operation);
  if (validate(parameters)) return { ok: true, parameters };
  const findings = (validate.errors ?? []).map((error) => sentence(operation.fields, parameters, error));
  return { ok: false, findings: [...new Set(findings)] };
}

function validatorOf(operation: Operation): ValidateFunction {
  const known = compiled.get(operation);
  if (known) return known;
  const validate = ajv.compile(objectSchema(operation.fields, operation.required));
  compiled.set(operation, validate);
  return validate;
}

/** The JSON Schema of an object with these fields and no others. */
export function objectSchema(fields: Fields, required: readonly string[] = []): Record<string, unknown> {
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      field.properties ? { ...field, ...objectSchema(field.properties) } : field,
    ]),
  );
  return { type: 'object', properties, required, additionalProperties: false };
}

function sentence(fields: Fields, parameters: unknown, error: ErrorObject): string {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer);
  const because = conditionOf(path, error);
  if (error.keyword === 'required') {
    const missing = [...path, String(error.params.missingProperty)];
    return `${missing.join('.')} is missing${because}; it is ${describeField(fieldAt(fields, missing))}`;
  }
  if (error.keyword === 'additionalProperties') {
    const unknown = [...path, String(error.params.additionalProperty)];
    return `${unknown.join('.')} is not a parameter here; ${knownNames(fields, path)}`;
  }
  const allowed = error.keyword === 'enum' ? oneOf(error.params.allowedValues) : undefined;
  const may = allowed ?? describeField(fieldAt(fields, path));
  return `${path.join('.')} must be ${may}${because}; got ${show(valueAt(parameters, path))}`;
}

function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Says which other field brought a condition into force, from the place of the condition in the schema. */
function conditionOf(path: readonly string[], error: ErrorObject): string {
  const other = /\/dependentSchemas\/([^/]+)\//.exec(error.schemaPath)?.[1];
  if (!other) return '';
  const parent = error.keyword === 'required' ? path : path.slice(0, -1);
  return ` when ${[...parent, other].join('.')} is given`;
}

function fieldAt(fields: Fields, path: readonly string[]): Field | undefined {
  const [first, ...rest] = path;
  const field = first !== undefined && Object.hasOwn(fields, first) ? fields[first] : undefined;
  return rest.length === 0 ? field : fieldAt(field?.properties ?? {}, rest);
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], value);
}

function knownNames(fields: Fields, path: readonly string[]): string {
  const known = path.length === 0 ? fields : (fieldAt(fields, path)?.properties ?? {});
  const names = Object.keys(known);
  return names.length === 0 ? 'there are none' : `known are ${names.join(', ')}`;
}

/** What a field may be, in words that fit behind "must be" and "it is". */
export function describeField(field: Field | undefined): string {
  if (!field) return 'known';
  if (field.enum) return oneOf(field.enum);
  if (field.format) return formats[field.format].words;
  if (field.type === 'boolean') return 'true or false';
  if (field.type === 'object') return `an object of ${Object.keys(field.properties ?? {}).join(', ')}`;
  if (field.type === 'string') return describeText(field);
  return describeNumber(field);
}

function describeText({ minLength = 0, maxLength }: Field): string {
  if (maxLength !== undefined) return `text of at most ${maxLength} characters`;
  return minLength > 0 ? 'text, not empty' : 'text';
}

function describeNumber({ type, minimum, maximum, unit }: Field): string {
  const kind = `a ${type === 'integer' ? 'whole ' : ''}number${unit === 's' ? ' of seconds' : ''}`;
  if (minimum !== undefined && maximum !== undefined) return `${kind} from ${minimum} to ${maximum}`;
  return minimum === undefined ? kind : `${kind}, ${minimum} or more`;
}

function oneOf(values: readonly unknown[]): string {
  return values.length === 1 ? String(values[0]) : `one of ${values.join(', ')}`;
}

/** A value as a person recognises it, short enough for a sentence. */
function show(value: unknown): string {
  if (Buffer.isBuffer(value)) return `a Buffer of ${value.length} bytes`;
  const text = typeof value === 'number' ? String(value) : (jsonOf(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** Nothing for what JSON cannot show: circles, big integers. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
