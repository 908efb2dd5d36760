import { escapeHtml } from './html';
import type { Words } from './words';

/** The rows of a page in `nodes`: `<algo-row name="ttl" icon="clock-o" placeholder="600"></algo-row>`. */
const rowPattern = /<algo-row\s+([^>]*)>([\s\S]*?)<\/algo-row>/g;

const attributePattern = /([\w-]+)="([^"]*)"/g;

/** The width of an input that Node-RED replaces with a wider control: a typed input, or a menu of nodes. */
const widthOfControl = 'width: calc(100% - 150px)';

/** The attributes of an input, by its kind. */
const kinds: Readonly<Record<string, string>> = {
  text: 'type="text"',
  password: 'type="password" autocomplete="new-password"',
  checkbox: 'type="checkbox" style="width: auto"',
  node: `type="text" style="${widthOfControl}"`,
  typed: `type="text" style="${widthOfControl}"`,
};

/**
 * Replaces each `<algo-row>` of a page with the row of a property: label, input and hint. The content of the element
 * follows the hint. Attributes:
 * - `name`, `icon`: the property, and an icon of Font Awesome without `fa-`
 * - `kind`: `text` (default), `password`, `checkbox`, `node` (a menu of nodes) or `typed` (a typed input)
 * - `options`: the values of a menu, separated by blanks; the words of a value are `<name>.<value>`
 * - `placeholder`: the value that the property has while it is empty, or a key of words
 * - `label`, `hint`: keys of words; by default `label.<name>` or `form.<name>`, and `help.<name>`
 * - `class`, `target`, `style`, `list`: as in the rendered elements
 * A row has a hint, and a translated placeholder (`placeholder.<name>`), if the page has such words.
 */
export function renderRows(page: string, words: Words): string {
  const prefix = page.includes('category: "config"') ? 'node-config-input' : 'node-input';
  return page.replace(rowPattern, (_, attributes: string, content: string) => {
    const found = Object.fromEntries(
      [...attributes.matchAll(attributePattern)].map(([, name, value]) => [name, value]),
    );
    return rowOf(found, content.trim(), prefix, (key) => hasWords(words, key));
  });
}

function rowOf(
  given: Readonly<Record<string, string>>,
  content: string,
  prefix: string,
  has: (key: string) => boolean,
): string {
  const { name = '', icon = '', kind = 'text', options, target } = given;
  const id = `${prefix}-${name}`;
  const label = given.label ?? [`label.${name}`, `form.${name}`].find(has) ?? missing(`a label of ${name}`);
  const hint = given.hint ?? (has(`help.${name}`) ? `help.${name}` : undefined);
  const hintId = `algo-${prefix === 'node-input' ? '' : 'config-'}${name}-hint`;
  const described = hint === undefined ? '' : ` aria-describedby="${hintId}"`;
  const control =
    options === undefined
      ? `<input ${kinds[kind] ?? missing(kind)}${given.style ? ` style="${given.style}"` : ''} id="${id}"${placeholderOf(given, has)}${given.list ? ` list="${given.list}"` : ''}${described}>`
      : `<select id="${id}"${described}>${options
          .split(' ')
          .map((value) => `<option value="${value}" data-i18n="${name}.${value}"></option>`)
          .join('')}</select>`;
  return [
    `<div class="${['form-row', given.class].filter(Boolean).join(' ')}"${target ? ` data-target="${target}"` : ''}>`,
    `<label for="${id}"><i class="fa fa-${icon}" aria-hidden="true"></i> <span data-i18n="${label}"></span></label>`,
    control,
    ...(kind === 'typed' ? [`<input type="hidden" id="${id}Type">`] : []),
    ...(hint === undefined ? [] : [`<div class="algo-hint" id="${hintId}" data-i18n="${hint}"></div>`]),
    ...(content === '' ? [] : [content]),
    '</div>',
  ].join('');
}

function placeholderOf(
  { name, placeholder }: Readonly<Record<string, string>>,
  has: (key: string) => boolean,
): string {
  if (placeholder !== undefined && !has(placeholder)) return ` placeholder="${escapeHtml(placeholder)}"`;
  const named = name === 'name' ? 'form.name' : undefined;
  const key = placeholder ?? (has(`placeholder.${name}`) ? `placeholder.${name}` : named);
  return key === undefined ? '' : ` data-i18n="[placeholder]${key}"`;
}

function hasWords(words: Words, key: string): boolean {
  let found: string | Words | undefined = words;
  for (const part of key.split('.')) found = typeof found === 'object' ? found[part] : undefined;
  return typeof found === 'string';
}

function missing(what: string): never {
  throw new Error(`A row of a page lacks ${what}`);
}
