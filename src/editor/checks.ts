/**
 * Pieces of the validators that several pages have, as `{{isEnvironment}}` and `{{isUnset}}` of a `value`. Literal text,
 * as in `action.ts`.
 */
export function renderChecks(): Readonly<Record<'isEnvironment' | 'isUnset', string>> {
  const isEnvironment = '/^\\$\\{.+\\}$/.test(value)';
  return { isEnvironment, isUnset: `value === undefined || value === "" || ${isEnvironment}` };
}
