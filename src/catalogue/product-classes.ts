import type { ProductClass, Products } from './operation';

/**
 * The models of each product class of the interface document, as far as known. A model can belong to two
 * classes. A model in no class is never rejected because of a class: the device decides.
 */
export const productClasses = {
  speakers: ['8180', '8186', '8188', '8189', '8190', '8190S', '8196', '8197', '8198', '8199', '8410', '8420'],
  'paging adapters': ['8301', '8305', '8373', '8375'],
  intercoms: ['8028', '8039', '8201', '8203'],
  'visual alerters': ['8128', '8138'],
  displays: ['8410', '8420'],
  'door controllers': ['8063'],
  consoles: ['8450'],
} as const satisfies Record<ProductClass, readonly string[]>;

export const otherModels = ['8300', '8312', '8507', '8516'] as const;

export const knownModels: readonly string[] = [
  ...new Set([...Object.values(productClasses).flat(), ...otherModels]),
].sort();

/**
 * Whether a model is among the products; undefined if the interface document does not say. A model that the
 * document does not mention must not be rejected.
 */
export function includesModel(products: Products, model: string): boolean | undefined {
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
