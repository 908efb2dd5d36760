import type { Field, Operation, Products } from '../catalogue/operation';

/**
 * Returns the required firmware and models as `x-` keywords, since OpenAPI has no keywords for these
 * requirements.
 */
export function extensions({
  firmware,
  products,
  earlier,
  valueProducts,
}: Partial<Pick<Operation, 'firmware' | 'products'> & Field>): Record<string, unknown> {
  return {
    ...(firmware && { 'x-firmware': firmware }),
    ...(products && { 'x-products': productsInWords(products) }),
    ...(earlier && { 'x-earlier': `${earlier.firmware} on the ${productsInWords(earlier.products)}` }),
    ...(valueProducts && {
      'x-value-products': Object.fromEntries(
        Object.entries(valueProducts).map(([value, having]) => [value, productsInWords(having)]),
      ),
    }),
  };
}

export function productsInWords(products: Products): string {
  if (products === 'all') return 'all';
  if ('except' in products) return `all but ${products.except.join(', ')}`;
  return [...(products.classes ?? []), ...(products.models ?? [])].join(', ');
}
