import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(__dirname, '..', '..', '..');

/** A file of the package, built or not. */
export function read(...place: string[]): string {
  return readFileSync(path.join(root, ...place), 'utf8');
}

/** The resources that have a page. */
export const resources = readdirSync(path.join(root, 'nodes'))
  .filter((file) => file.endsWith('.html'))
  .map((file) => path.basename(file, '.html'));

/** A node's definition as the Flow Library finds it: by syntax, without running anything. */
export interface Definition {
  readonly type: string;
  readonly object: ts.ObjectLiteralExpression;
}

/** The `registerType` calls in a page's inline script, with literal arguments only. */
export function definitionsIn(page: string): Definition[] {
  const scripts = [...page.matchAll(/<script type="text\/javascript">(.+?)<\/script>/gs)];
  return scripts.flatMap(([, script = '']) => {
    const source = ts.createSourceFile('page.js', script, ts.ScriptTarget.ES2022, true);
    return source.statements.flatMap(definitionOf);
  });
}

function definitionOf(statement: ts.Statement): Definition[] {
  if (!ts.isExpressionStatement(statement) || !ts.isCallExpression(statement.expression)) return [];
  const { expression, arguments: given } = statement.expression;
  const [type, object] = given;
  if (expression.getText() !== 'RED.nodes.registerType') return [];
  if (!type || !ts.isStringLiteral(type) || !object || !ts.isObjectLiteralExpression(object)) return [];
  return [{ type: type.text, object }];
}

/** A property of an object literal; undefined if it is not there under an unquoted key. */
export function property(object: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  const found = object.properties.find(
    (one) => one.name && ts.isIdentifier(one.name) && one.name.text === name,
  );
  return found && ts.isPropertyAssignment(found) ? found.initializer : undefined;
}

/** A property that is an object literal. Throws for anything else. */
export function objectAt(object: ts.ObjectLiteralExpression, name: string): ts.ObjectLiteralExpression {
  const found = property(object, name);
  if (!found || !ts.isObjectLiteralExpression(found)) throw new Error(`${name} is no object literal`);
  return found;
}

/** The keys of an object literal as they stand there; a spread is `...`. */
export function keysOf(object: ts.ObjectLiteralExpression): string[] {
  return object.properties.map((one) => one.name?.getText() ?? '...');
}

/** The texts of a locale file by their dotted keys. */
export function textsIn(...place: string[]): Map<string, string> {
  const texts = new Map<string, string>();
  const collect = (value: unknown, prefix: string) => {
    for (const [key, inner] of Object.entries(Object(value))) {
      if (typeof inner === 'string') texts.set(prefix + key, inner);
      else collect(inner, `${prefix}${key}.`);
    }
  };
  collect(JSON.parse(read(...place)), '');
  return texts;
}

/** What can be said of a node in a language: its own words, and those that the plugin has for all nodes. */
export function wordsOfNode(language: string, resource: string): Map<string, string> {
  const folder = path.join('dist', 'nodes', 'locales', language);
  const shared = [...textsIn(folder, 'algo-forms.json')]
    .filter(([key]) => key.startsWith('shared.'))
    .map(([key, text]): [string, string] => [key.slice('shared.'.length), text]);
  return new Map([...shared, ...textsIn(folder, `${resource}.json`)]);
}
