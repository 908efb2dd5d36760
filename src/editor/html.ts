const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for HTML, including attribute values. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/**
 * Renders data as an HTML attribute with a leading blank. The attribute has single quotes, because JSON has
 * many double quotes.
 */
export function dataAttribute(name: string, value: unknown): string {
  const text = JSON.stringify(value).replace(/[&<>']/g, (character) => entities[character] ?? character);
  return ` data-${name}='${text}'`;
}

/**
 * Escapes a text for Markdown, including colons: a line of a property list ends its term and its type with a
 * colon.
 */
export function escapeMarkdown(text: string): string {
  return escapeHtml(text)
    .replace(/[*_`[\]\\]/g, '\\$&')
    .replaceAll(':', '&#58;');
}

/**
 * Replaces each `{{name}}` by its value.
 * @throws Error for a name without a value, so that no build ships a placeholder
 */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{([\w.-]+)\}\}/g, (placeholder, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw new Error(`No value for ${placeholder}`);
    return value;
  });
}
