const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it may stand in HTML, in an attribute too. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** Data as an attribute of HTML, with a blank before it. JSON is full of double quotes, so single ones enclose it. */
export function dataAttribute(name: string, value: unknown): string {
  const text = JSON.stringify(value).replace(/[&<>']/g, (character) => entities[character] ?? character);
  return ` data-${name}='${text}'`;
}

/** Text as it may stand in Markdown. A line of a property list has two colons of its own and bears no third. */
export function escapeMarkdown(text: string): string {
  return escapeHtml(text)
    .replace(/[*_`[\]\\]/g, '\\$&')
    .replaceAll(':', '&#58;');
}

/** Puts values in the place of `{{names}}`. Throws for a name that has no value: a build must not ship one. */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{([\w.-]+)\}\}/g, (placeholder, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw new Error(`No value for ${placeholder}`);
    return value;
  });
}
