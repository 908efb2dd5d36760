import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import { coerceParameters } from './coerce';
import { describeField, oneOf, show } from './describe';
import { formats, isAcceptable } from './formats';
import type { Field, Format, Operation, Shape, Variant } from './operation';
import { objectSchema } from './schema';
import { chooseVariant, nameVariant } from './variants';

export { describeField } from './describe';

/** What `checkParameters` found: the parameters as they go out, or sentences that begin with a field's name. */
export type Checked =
  | { readonly ok: true; readonly parameters: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly findings: readonly string[] };

type Given = Readonly<Record<string, unknown>>;

const ajv = new Ajv2020({
  allErrors: true,
  verbose: true,
  strict: true,
  strictRequired: false,
  strictTypes: false,
  formats: Object.fromEntries(
    Object.keys(formats).map((name) => [name, (text: string) => isAcceptable(name as Format, text)]),
  ),
});
ajv.addKeyword('because');
ajv.addKeyword({ keyword: 'binary', validate: (_: true, value: unknown) => Buffer.isBuffer(value) });
ajv.addKeyword({
  keyword: 'exactlyOne',
  type: 'object',
  validate: (names: readonly string[], value: object) =>
    names.filter((name) => Object.hasOwn(value, name)).length === 1,
});

/** Compiled once per operation or variant; nothing in here outlives or changes it. */
const compiled = new WeakMap<Shape, ValidateFunction>();

/**
 * Coerces the parameters of an operation to the types of the wire and checks them against its fields, or
 * those of the variant that they ask for. Undefined means absent; unknown names are refused, since a misspelt
 * one must not vanish.
 */
export function checkParameters(operation: Operation, raw: Given): Checked {
  const parameters = coerceParameters(operation, raw);
  const chosen = chooseVariant(operation, parameters);
  if ('findings' in chosen) return { ok: false, findings: chosen.findings };
  const findings = findingsIn(operation, chosen.shape, parameters);
  if (findings.length > 0) return { ok: false, findings };
  const sent = Object.entries(parameters).filter(([name]) => operation.fields[name]?.sent !== false);
  return { ok: true, parameters: Object.fromEntries(sent) };
}

function findingsIn(operation: Operation, shape: Shape | Variant, parameters: Given): string[] {
  const validate = validatorOf(shape);
  const errors = validate(parameters) ? [] : (validate.errors ?? []);
  const sentences = errors
    // What a condition or a name's own check found is told by another error.
    .filter(({ keyword, propertyName }) => keyword !== 'if' && propertyName === undefined)
    .map((error) => sentence(operation, shape, parameters, error));
  return [...new Set([...sentences, ...tooFew(operation, parameters)])];
}

function validatorOf(shape: Shape): ValidateFunction {
  const known = compiled.get(shape);
  if (known) return known;
  const validate = ajv.compile(objectSchema(shape));
  compiled.set(shape, validate);
  return validate;
}

function tooFew({ atLeast = 0, fields, others }: Operation, parameters: Given): string[] {
  const names = Object.keys(fields).filter((name) => fields[name]?.sent !== false);
  const sent = Object.keys(parameters).filter((name) => fields[name]?.sent !== false);
  if (sent.length >= atLeast) return [];
  if (others) return ['a parameter is missing: at least one must be given by its name, with its value'];
  return [`${names.join(' or ')} is missing: at least one must be given`];
}

function sentence(
  operation: Operation,
  shape: Shape | Variant,
  parameters: Given,
  error: ErrorObject,
): string {
  const { keyword, params, parentSchema, data } = error;
  const path = error.instancePath.split('/').slice(1).map(unescapePointer);
  const because = reasonOf(shape, keyword === 'required' ? path : path.slice(0, -1), parentSchema);
  const place = placeOf(shape, path);
  if (keyword === 'required') {
    const missing = [...path, String(params.missingProperty)];
    return `${placeOf(shape, missing)} is missing${because}; it is ${describeField(fieldAt(shape, missing))}`;
  }
  if (keyword === 'additionalProperties') {
    return unknownName(operation, shape, parameters, [...path, String(params.additionalProperty)]);
  }
  if (keyword === 'propertyNames') {
    const words = shape.others ? formats[shape.others.name].words : 'known';
    return `${String(params.propertyName)} cannot be sent; it must be ${words}`;
  }
  if (keyword === 'exactlyOne') {
    return `${place} must have exactly one of ${(error.schema as string[]).join(', ')}; got ${show(data)}`;
  }
  if (keyword === 'not') return `${place} must not be given${because}`;
  // A rule may leave fewer choices than the field's own.
  const may =
    because && keyword === 'enum' ? oneOf(params.allowedValues) : describeField(fieldAt(shape, path));
  return `${place} must be ${may}${because}; got ${show(data)}`;
}

/** Why a rule asks for what it does: its `because`, with the places of the fields it names. */
function reasonOf(shape: Shape, path: readonly string[], schema: ErrorObject['parentSchema']): string {
  if (typeof schema?.because !== 'string') return '';
  return ` ${schema.because.replace(/\{(\w+)\}/g, (_, name: string) => placeOf(shape, [...path, name]))}`;
}

function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Where a value is, as a person writes it: `events[2].start_date`. */
function placeOf(shape: Shape, path: readonly string[]): string {
  return path.reduce((place, segment, index) => {
    if (index === 0) return segment;
    const isEntry = fieldAt(shape, path.slice(0, index))?.type === 'array';
    return isEntry ? `${place}[${segment}]` : `${place}.${segment}`;
  }, '');
}

function fieldAt({ fields, others }: Shape, path: readonly string[]): Field | undefined {
  const [first = '', ...rest] = path;
  const head = Object.hasOwn(fields, first) ? fields[first] : others?.value;
  return rest.reduce<Field | undefined>((field, name) => {
    if (field?.type === 'array') return field.items;
    const inside = field?.properties ?? {};
    return Object.hasOwn(inside, name) ? inside[name] : undefined;
  }, head);
}

function unknownName(
  operation: Operation,
  shape: Shape | Variant,
  parameters: Given,
  path: readonly string[],
): string {
  const place = placeOf(shape, path);
  const isTop = path.length === 1;
  const known = isTop ? shape.fields : (fieldAt(shape, path.slice(0, -1))?.properties ?? {});
  const names = Object.keys(known);
  const list = names.length === 0 ? 'there are none' : `known are ${names.join(', ')}`;
  if (!isTop || !('when' in shape)) return `${place} is not a parameter here; ${list}`;
  return `${place} is not a parameter of ${nameVariant(shape, parameters)}${owners(operation, place)}; ${list}`;
}

/** Where a parameter that was not expected would be, when that is soon said. */
function owners({ variants = [] }: Operation, name: string): string {
  const having = variants.filter(({ fields }) => Object.hasOwn(fields, name));
  if (having.length === 0 || having.length > 3) return '';
  return `, but of ${having.map((variant) => nameVariant(variant)).join(' and ')}`;
}
