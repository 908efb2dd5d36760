import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import { coerceParameters } from './coerce';
import { formats, isAcceptable } from './formats';
import type { Format, Operation, Shape, Variant } from './operation';
import { objectSchema } from './schema';
import { findingsIn } from './sentences';
import { chooseVariant } from './variants';

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
  const findings = findingsFor(operation, chosen.shape, parameters);
  if (findings.length > 0) return { ok: false, findings };
  const sent = Object.entries(parameters).filter(([name]) => operation.fields[name]?.sent !== false);
  return { ok: true, parameters: Object.fromEntries(sent) };
}

function findingsFor(operation: Operation, shape: Shape | Variant, parameters: Given): string[] {
  const validate = validatorOf(shape);
  if (validate(parameters)) return tooFew(operation, parameters);
  const checked = operation.variants ? { ...shape, variants: operation.variants } : shape;
  const sentences = findingsIn(checked, parameters, validate.errors ?? []).map(({ sentence }) => sentence);
  return [...sentences, ...tooFew(operation, parameters)];
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
