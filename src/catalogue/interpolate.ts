/** Replaces each `__name__` with its value (empty if missing), and each `{name}` that has a value. */
export function interpolate(text: string, values: Readonly<Record<string, unknown>> = {}): string {
  return text.replace(/__(\w+?)__|\{(\w+)\}/g, (whole, name?: string, place = '') =>
    name === undefined ? String(values[place] ?? whole) : String(values[name] ?? ''),
  );
}
