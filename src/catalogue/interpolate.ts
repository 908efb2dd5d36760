/**
 * Returns a text with values instead of its `__names__`. `{names}` are replaced too, if they have a value.
 */
export function interpolate(text: string, values: Readonly<Record<string, unknown>> = {}): string {
  return text.replace(/__(\w+?)__|\{(\w+)\}/g, (whole, name?: string, place = '') =>
    name === undefined ? String(values[place] ?? whole) : String(values[name] ?? ''),
  );
}
