import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** A regular expression of the source. */
export interface Expression {
  /** File and line, for example `src/client/response.ts:37`. */
  readonly place: string;
  readonly expression: RegExp;
  /** It parts texts. */
  readonly splits: boolean;
}

const root = path.resolve(__dirname, '../../..');

/** Methods of texts that make an expression of a text they are given. */
const compilers: readonly string[] = ['match', 'matchAll', 'search'];

/** Every regular expression that is written in the files of a folder. */
export function expressionsIn(folder: string): Expression[] {
  return parsed(folder).flatMap((file) =>
    nodesIn(file)
      .filter(ts.isRegularExpressionLiteral)
      .map((node) => ({
        place: placeOf(file, node),
        expression: expressionOf(node.text),
        splits: isGivenTo('split', node),
      })),
  );
}

/** Where a folder's files make an expression of a text, so that nobody can read it off the source. */
export function madeOfTextIn(folder: string): string[] {
  return parsed(folder).flatMap((file) =>
    nodesIn(file)
      .filter((node) => isConstructor(node) || isCompiled(node))
      .map((node) => placeOf(file, node)),
  );
}

function parsed(folder: string): ts.SourceFile[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.join(folder, name))
    .map((name) =>
      ts.createSourceFile(name, readFileSync(path.join(root, name), 'utf8'), ts.ScriptTarget.Latest, true),
    );
}

function nodesIn(node: ts.Node): ts.Node[] {
  const nodes: ts.Node[] = [node];
  ts.forEachChild(node, (child) => {
    nodes.push(...nodesIn(child));
  });
  return nodes;
}

function placeOf(file: ts.SourceFile, node: ts.Node): string {
  return `${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}

/** @param literal as it is written: `/…/flags` */
function expressionOf(literal: string): RegExp {
  const end = literal.lastIndexOf('/');
  return new RegExp(literal.slice(1, end), literal.slice(end + 1));
}

function isGivenTo(method: string, node: ts.Node): boolean {
  const { parent } = node;
  return (
    ts.isCallExpression(parent) &&
    ts.isPropertyAccessExpression(parent.expression) &&
    parent.expression.name.text === method
  );
}

function isConstructor(node: ts.Node): boolean {
  return ts.isIdentifier(node) && node.text === 'RegExp' && !ts.isTypeReferenceNode(node.parent);
}

function isCompiled(node: ts.Node): boolean {
  return (
    (ts.isStringLiteral(node) || ts.isTemplateExpression(node)) &&
    compilers.some((method) => isGivenTo(method, node))
  );
}

/** An expression that repeats nothing takes a limited time at each place of a text. */
export function repeats({ source }: RegExp): boolean {
  return /[*+{]/.test(source);
}
