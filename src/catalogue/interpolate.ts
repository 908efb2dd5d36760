/** A text with values in the place of its `__names__`, and of those `{names}` that have one. */
export function interpolate(text: string, values: Readonly<Record<string, unknown>> = {}): string {
  return text.replace(/__(\w+?)__|\{(\w+)\}/g, (whole, name?: string, place = '') =>
    name === undefined ? String(values[place] ?? whole) : String(values[name] ?? ''),
  );
}
