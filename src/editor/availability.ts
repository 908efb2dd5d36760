import type { Field, Products } from '../catalogue/operation';
import type { FormatPhrase } from '../catalogue/phrases';

/**
 * Returns sentences about the products and the firmware that support a field or an operation; '' if all
 * devices support it.
 */
export function availabilityOf(
  of: Pick<Field, 'firmware' | 'earlier' | 'products'>,
  say: FormatPhrase,
): string {
  return [sinceOf(of, say), available(of.products, say)].filter((part) => part !== undefined).join(' ');
}

function sinceOf(
  { firmware, earlier }: Pick<Field, 'firmware' | 'earlier'>,
  say: FormatPhrase,
): string | undefined {
  if (!firmware) return undefined;
  if (!earlier) return say('since', { firmware });
  return say('sinceOn', { firmware, earlier: earlier.firmware, products: listed(earlier.products, say) });
}

function available(products: Products | undefined, say: FormatPhrase): string | undefined {
  if (!products || products === 'all') return undefined;
  return say('except' in products ? 'notOn' : 'on', { products: listed(products, say) });
}

function listed(products: Products, say: FormatPhrase): string {
  if (products === 'all') return say('devices');
  if ('except' in products) return joined(products.except, say);
  const classes = (products.classes ?? []).map((name) => say(name));
  return joined([...classes, ...(products.models ?? [])], say);
}

/** Joins names into one text, with "and" before the last name. */
export function joined(names: readonly string[], say: FormatPhrase): string {
  if (names.length < 2) return names.join();
  return say('and', { first: names.slice(0, -1).join(', '), last: names.at(-1) ?? '' });
}
