import { coerceParameters } from '../catalogue/coerce';
import { type Check, compile } from '../catalogue/compile';
import type { Field } from '../catalogue/operation';
import { schemaOf } from '../catalogue/schema';

export { unknown } from '../catalogue/report';
export { judge } from '../catalogue/validate';

const compiled = new WeakMap<Field, Check>();

/**
 * Whether a field accepts a value, by the rules of the runtime. Also true for a value that only the runtime
 * knows.
 */
export function takes(field: Field, value: unknown): boolean {
  const { value: coerced } = coerceParameters({ fields: { value: field } }, { value });
  const known = compiled.get(field) ?? compile(schemaOf(field));
  compiled.set(field, known);
  return known(coerced) !== 'bad';
}
