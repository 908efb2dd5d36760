import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';

interface PropertyDeclaration {
  readonly value: unknown;
  /**
   * Set if the value is the id of a configuration node: the type of this node, such as `algo-device`. For a
   * list of ids, `[]` follows the type.
   */
  readonly type?: string;
}

export interface DialogRow {
  readonly label: string;
  readonly kind: 'checkbox' | 'select' | 'text';
  /** Values of the select, except `''`; an empty list for other kinds of rows. */
  readonly values: readonly string[];
  /** Placeholder of the input, which shows the value that applies while the input is empty. */
  readonly placeholder?: string;
  readonly hints: readonly string[];
}

export interface OperationLimits {
  /** Default of "Expires after" in seconds; 0 for no limit. */
  readonly ttl: number;
  readonly retryFor: number;
  /** Present if the operation supports an auto-stop. */
  readonly end?: object;
  readonly held?: true;
}

export interface NodeDialog {
  /** The defaults and the names of the credentials with which the built page calls `registerType`. */
  readonly defaults: Readonly<Record<string, PropertyDeclaration>>;
  readonly credentials: readonly string[];
  /** Returns the row whose input has the id; undefined if no row of the built pages has such an input. */
  rowOf(id: string): DialogRow | undefined;
  /** Returns the English text of a key; undefined if the dialog has no such text. */
  words(key: string): string | undefined;
  /** Delivery defaults, keyed by operation id; empty if the node has no operations. */
  readonly limits: Readonly<Record<string, OperationLimits>>;
}

type Words = Readonly<Record<string, unknown>>;

/**
 * Reads the built page of a node, so that the generated documents use the texts of the editor.
 * @param root folder of the package, after a build
 */
export function readNodeDialog(root: string, resource: string): NodeDialog {
  const folder = path.join(root, 'dist', 'nodes');
  const read = (...file: string[]) => readFileSync(path.join(folder, ...file), 'utf8');
  const own: Words = JSON.parse(read('locales', 'en-US', `${resource}.json`));
  const { shared }: { shared: Words } = JSON.parse(read('locales', 'en-US', 'algo-forms.json'));
  const words = (key: string) => textAt(own, key) ?? textAt(shared, key);
  const shown = (key: string) => {
    const text = words(key);
    if (text === undefined) throw new Error(`algo-${resource} has no text ${key}`);
    return text;
  };
  const page = read(`${resource}.html`);
  // `algo-forms.html`, the page of the plugin, has the rows of "Delivery" for all nodes.
  const html = page + read('algo-forms.html').replaceAll('data-words=', 'data-i18n=');
  const [, limits = '{}'] = /data-delivery='([^']*)'/.exec(page) ?? [];
  return {
    ...declarationIn(page),
    rowOf: (id) => rowIn(html, id, shown),
    words,
    limits: JSON.parse(limits),
  };
}

function declarationIn(page: string): Pick<NodeDialog, 'defaults' | 'credentials'> {
  const scripts = [...page.matchAll(/<script type="text\/javascript">(.+?)<\/script>/gs)];
  let definition: { defaults?: NodeDialog['defaults']; credentials?: object } = {};
  const nodes = {
    registerType: (_: string, given: typeof definition) => {
      definition = given;
    },
    getType: () => definition,
  };
  for (const [, script = ''] of scripts) runInNewContext(script, { RED: { nodes }, window: {} });
  const { defaults = {}, credentials = {} } = definition;
  return { defaults, credentials: Object.keys(credentials) };
}

function rowIn(html: string, id: string, words: (key: string) => string): DialogRow | undefined {
  const [, label] = new RegExp(`<label for="${id}">.*?data-i18n="([\\w.-]+)"`).exec(html) ?? [];
  const input = new RegExp(`<(input|select|textarea)\\b[^>]* id="${id}"[^>]*>|<input\\b[^>]*id="${id}"`);
  const [opening, name] = input.exec(html) ?? [];
  if (label === undefined || opening === undefined) return undefined;
  const select = html.slice(html.indexOf(opening)).split('</select>')[0] ?? '';
  const values = name === 'select' ? [...select.matchAll(/<option value="([^"]*)"/g)] : [];
  const isCheckbox = /\btype="checkbox"/.test(opening);
  const [, placeholder] = /\bplaceholder="([^"]+)"/.exec(opening) ?? [];
  const [, described = ''] = /aria-describedby="([^"]+)"/.exec(opening) ?? [];
  return {
    label: words(label),
    kind: name === 'select' ? 'select' : isCheckbox ? 'checkbox' : 'text',
    values: values.map(([, value = '']) => value).filter(Boolean),
    ...(placeholder && { placeholder }),
    hints: described.split(' ').flatMap((one) => hintsIn(html, one, words)),
  };
}

/**
 * Returns the hint with an id, or all hints of the group with the id. Each hint of a group explains one value
 * of a select and begins with this value.
 */
function hintsIn(html: string, id: string, words: (key: string) => string): string[] {
  const hint = new RegExp(`<div class="algo-hint[^>]* id="${id}"[^>]* data-i18n="([\\w.-]+)"`);
  const [, key] = hint.exec(html) ?? [];
  if (key !== undefined) return [escaped(words(key))];
  const [, inner = ''] = new RegExp(`<div id="${id}">(.*?)\\n</div>`, 's').exec(html) ?? [];
  return [...inner.matchAll(/data-for="([^"]+)" data-i18n="([\w.-]+)"/g)].map(
    ([, value = '', one = '']) => `\`${value}\`: ${escaped(words(one))}`,
  );
}

function escaped(text: string): string {
  return text.replace(/[*_<]/g, '\\$&');
}

function textAt(words: Words, key: string): string | undefined {
  const found = key
    .split('.')
    .reduce<unknown>((inner, name) => (Object(inner) as Record<string, unknown>)[name], words);
  return typeof found === 'string' ? found : undefined;
}
