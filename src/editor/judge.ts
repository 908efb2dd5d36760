import { coerceParameters } from '../catalogue/coerce';
import type { Field, Shape } from '../catalogue/operation';
import { objectSchema, schemaOf } from '../catalogue/schema';
import { type Finding, findingsIn, placeOf } from '../catalogue/sentences';
import { schemaErrors } from './schema-errors';

export { unknown } from './schema-errors';

/**
 * Whether a field takes a value, as the runtime decides it. A value that is not known yet may be anything.
 */
export function takes(field: Field, value: unknown): boolean {
  const { value: coerced } = coerceParameters({ fields: { value: field } }, { value });
  return schemaErrors(schemaOf(field), coerced).length === 0;
}

/**
 * What is certainly wrong with parameters, `unknown` in the place of those that only a message or the environment
 * will tell: what the runtime says when they arrive, in its words.
 * @param labelOf what a person reads in the place of a parameter's name, if it has a label
 */
export function judge(
  shape: Shape,
  raw: Readonly<Record<string, unknown>>,
  labelOf: (path: readonly string[]) => string | undefined = () => undefined,
): Finding[] {
  const parameters = coerceParameters(shape, raw);
  const errors = schemaErrors(objectSchema(shape), parameters);
  return findingsIn(shape, parameters, errors, (path) => labelOf(path) ?? placeOf(shape, path));
}
