/** Numbers as a person reads them. */

/** Three digits, as far as they mean anything. */
export function shown(value) {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString('en-US');
  if (size >= 10) return value.toFixed(1).replace(/\.0$/, '');
  return value.toFixed(2).replace(/\.?0+$/, '');
}

/** A median with its unit. */
export function withUnit(value, unit) {
  return unit ? `${shown(value)} ${unit}` : shown(value);
}

/** The median, and from where to where the rounds went. */
export function withSpread({ median, least, most }, unit = '') {
  return `${withUnit(median, unit)} (${shown(least)} to ${shown(most)})`;
}
