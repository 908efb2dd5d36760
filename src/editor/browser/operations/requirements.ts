import { isPlainObject } from '../../../catalogue/coerce';
import type { RestrictedOperation } from '../../../catalogue/compatibility';

/** The build puts `operationRequirements()` in the place of this name (`bundle.ts`): the catalogue itself is in no page. */
declare const builtRequirements: Readonly<Record<string, RestrictedOperation>>;

/** Returns what decides the support of an operation, by its name; undefined for a name that is none. */
export function requirementsOf(operationName: string): RestrictedOperation | undefined {
  return Object.hasOwn(builtRequirements, operationName) ? builtRequirements[operationName] : undefined;
}

/** What a form gives, as far as it is written there: where a value comes from elsewhere, only that there is one. */
export function givenIn({ fields }: RestrictedOperation, form: unknown): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const [name, entry] of isPlainObject(form) ? Object.entries(form) : []) {
    const { type, value } = Object(entry) as { type?: unknown; value?: unknown };
    const written = type === 'str' ? value : undefined;
    const [outer = '', ...inner] = name.split('.');
    if (inner.length === 0 || !fields[outer]?.properties) given[name] = written;
    else given[outer] = { ...Object(given[outer]), [inner.join('.')]: written };
  }
  return given;
}
