import { withoutLogin } from '../../catalogue/describe';

/**
 * An answer without what lets a scheduler into another device, as its events have it (section 2.6a); itself where
 * there is no such thing.
 */
export function withoutLogins(value: unknown): unknown {
  if (typeof value === 'string') return withoutLogin(value);
  if (typeof value !== 'object' || value === null) return value;
  let clean: Record<string, unknown> | undefined;
  for (const [name, inner] of Object.entries(value)) {
    const cleanInner = withoutLogins(inner);
    if (cleanInner === inner) continue;
    clean ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
    clean[name] = cleanInner;
  }
  return clean ?? value;
}
