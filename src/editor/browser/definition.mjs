/** The definitions that were read, by template: they do not change while the editor is open. */
const known = new WeakMap();

/**
 * The fields of each operation of a node type, `{ [operation]: { [name]: field } }`, as the build wrote them
 * into the rows of the type's template. Empty for a type without a template.
 */
export function definitionOf(type) {
  const script = document.querySelector(`script[data-template-name="${CSS.escape(type)}"]`);
  if (!script) return {};
  if (!known.has(script)) known.set(script, readTemplate(script.textContent));
  return known.get(script);
}

function readTemplate(html) {
  const template = document.createElement('template');
  template.innerHTML = html;
  const operations = {};
  for (const section of template.content.querySelectorAll('[data-operation]')) {
    const rows = [...section.querySelectorAll('[data-field]')];
    operations[section.dataset.operation] = Object.fromEntries(rows.map(readRow));
  }
  return operations;
}

/** The name and the field that a row stands for; `key` is where the locale file has its words. */
export function readRow(row) {
  return [row.dataset.field, { ...JSON.parse(row.dataset.schema), key: row.dataset.key }];
}

/** A finding of `checkEntry` as a sentence. */
export function sentenceOf(translate, field, finding) {
  const limits = field.key ? translate(`${field.key}.limits`) : '';
  return translate(`form.invalid.${finding}`, { limits });
}
