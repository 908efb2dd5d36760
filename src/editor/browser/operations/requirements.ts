import { isPlainObject } from '../../../catalogue/coerce';
import type { RestrictedOperation } from '../../../catalogue/compatibility';

/**
 * The requirements of all operations. The build replaces this name with the result of
 * `operationRequirements()` (`bundle.ts`), since no page contains the whole catalogue.
 */
declare const builtRequirements: Readonly<Record<string, RestrictedOperation>>;

export function requirementsOf(operationName: string): RestrictedOperation | undefined {
  return Object.hasOwn(builtRequirements, operationName) ? builtRequirements[operationName] : undefined;
}

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
