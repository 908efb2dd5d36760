import type { Field, Products } from '../catalogue/operation';
import type { FormatPhrase } from '../catalogue/phrases';

/**
 * Returns sentences about the products and the firmware that support a field or an operation; '' if there is
 * no restriction.
 */
export function availabilityOf(
  of: Pick<Field, 'firmware' | 'earlier' | 'products'>,
  formatPhrase: FormatPhrase,
): string {
  return [sinceOf(of, formatPhrase), available(of.products, formatPhrase)]
    .filter((part) => part !== undefined)
    .join(' ');
}

function sinceOf(
  { firmware, earlier }: Pick<Field, 'firmware' | 'earlier'>,
  formatPhrase: FormatPhrase,
): string | undefined {
  if (!firmware) return undefined;
  if (!earlier) return formatPhrase('since', { firmware });
  return formatPhrase('sinceOn', {
    firmware,
    earlier: earlier.firmware,
    products: listed(earlier.products, formatPhrase),
  });
}

function available(products: Products | undefined, formatPhrase: FormatPhrase): string | undefined {
  if (!products || products === 'all') return undefined;
  return formatPhrase('except' in products ? 'notOn' : 'on', { products: listed(products, formatPhrase) });
}

function listed(products: Products, formatPhrase: FormatPhrase): string {
  if (products === 'all') return formatPhrase('devices');
  if ('except' in products) return joined(products.except, formatPhrase);
  const classes = (products.classes ?? []).map((name) => formatPhrase(name));
  return joined([...classes, ...(products.models ?? [])], formatPhrase);
}

export function joined(names: readonly string[], formatPhrase: FormatPhrase): string {
  if (names.length < 2) return names.join();
  return formatPhrase('and', { first: names.slice(0, -1).join(', '), last: names.at(-1) ?? '' });
}
