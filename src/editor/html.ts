const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/**
 * Renders data as a `data-` attribute of HTML, with a leading blank. Single quotes enclose the value, because
 * JSON contains many double quotes.
 */
export function dataAttribute(name: string, value: unknown): string {
  const text = JSON.stringify(value).replace(/[&<>']/g, (character) => entities[character] ?? character);
  return ` data-${name}='${text}'`;
}

/**
 * Escapes a text for Markdown, including colons: in a property list of Node-RED's help, a colon ends the term
 * and the type.
 */
export function escapeMarkdown(text: string): string {
  return escapeHtml(text)
    .replace(/[*_`[\]\\]/g, '\\$&')
    .replaceAll(':', '&#58;');
}

/**
 * Replaces each `{{name}}` in a template with its value.
 * @throws Error for a name without a value, so that no built page contains a placeholder
 */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{([\w.-]+)\}\}/g, (placeholder, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw new Error(`No value for ${placeholder}`);
    return value;
  });
}
