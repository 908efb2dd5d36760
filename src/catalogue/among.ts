import type { ProductClass, Products } from './operation';
import { otherModels, productClasses } from './products';

/** Every model that the document names. */
export const knownModels: readonly string[] = [
  ...new Set([...Object.values(productClasses).flat(), ...otherModels]),
].sort();

/**
 * Whether a model is among the products; undefined when the document does not settle it, as for a model that
 * it does not name at all: what is newer than the document must not be locked out.
 */
export function isAmong(products: Products, model: string): boolean | undefined {
  if (products === 'all') return true;
  if ('except' in products) return !products.except.includes(model);
  if (products.models?.includes(model)) return true;
  const classes = classesOf(model);
  if (!products.classes) return classes.length > 0 || isNumbered(model) ? false : undefined;
  if (classes.length === 0) return undefined;
  return classes.some((name) => products.classes?.includes(name));
}

function isNumbered(model: string): boolean {
  return (otherModels as readonly string[]).includes(model);
}

function classesOf(model: string): ProductClass[] {
  const names = Object.keys(productClasses) as ProductClass[];
  return names.filter((name) => (productClasses[name] as readonly string[]).includes(model));
}
