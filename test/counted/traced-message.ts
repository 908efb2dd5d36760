import { readFileSync } from 'node:fs';
import Module from 'node:module';
import path from 'node:path';
import ts from 'typescript';

/**
 * A program that sends one message to a group of one device and prints, as JSON, the files of ours whose functions
 * are entered on the way, in that order. A program of its own: a function is only seen if its file was loaded here.
 */
const source = path.resolve(__dirname, '../../src');
const entered: string[] = [];
let isTracing = false;

Object.assign(globalThis, {
  enterTraced(file: string) {
    if (isTracing) entered.push(file);
  },
});

/** The same code, with a call at the beginning of each function. */
function traced(code: string, file: string): string {
  const { factory } = ts;
  const call = () =>
    factory.createCallExpression(factory.createIdentifier('globalThis.enterTraced'), undefined, [
      factory.createStringLiteral(file),
    ]);
  const transformer: ts.TransformerFactory<ts.SourceFile> = (context) => (root) => {
    const visit = (node: ts.Node): ts.Node => {
      const seen = ts.visitEachChild(node, visit, context);
      if (ts.isArrowFunction(seen) && !ts.isBlock(seen.body)) {
        const body = factory.createComma(call(), seen.body);
        const { modifiers, typeParameters, parameters, type, equalsGreaterThanToken } = seen;
        return factory.updateArrowFunction(
          ...([seen, modifiers, typeParameters, parameters, type, equalsGreaterThanToken] as const),
          factory.createParenthesizedExpression(body),
        );
      }
      // A constructor of a derived class calls `super` first, which is not traced.
      const isFunction = ts.isFunctionLike(node) && !ts.isConstructorDeclaration(node);
      if (!isFunction || !('body' in seen) || !seen.body || !ts.isBlock(seen.body as ts.Node)) return seen;
      const block = seen.body as ts.Block;
      const statements = [factory.createExpressionStatement(call()), ...block.statements];
      const body = factory.updateBlock(block, statements);
      return ts.visitEachChild(seen, (child) => (child === block ? body : child), context);
    };
    return ts.visitEachChild(root, visit, context);
  };
  const parsed = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const [changed] = ts.transform(parsed, [transformer]).transformed;
  return changed ? ts.createPrinter().printFile(changed) : code;
}

interface Compiling {
  _compile(code: string, file: string): void;
}

const extensions = (
  Module as unknown as { _extensions: Record<string, (m: Compiling, file: string) => void> }
)._extensions;
const usual = extensions['.js'];
extensions['.js'] = (module, file) => {
  if (!file.startsWith(source)) return usual?.(module, file);
  const name = path.relative(source, file).replace(/\.js$/, '.ts');
  module._compile(traced(readFileSync(file, 'utf8'), name), file);
};

async function main(): Promise<void> {
  const {
    ClientFixture,
  }: typeof import('../fixtures/client-fixture') = require('../fixtures/client-fixture');
  const { ask, startFlow, stopFlow }: typeof import('../fixtures/flow') = require('../fixtures/flow');
  const fixture = new ClientFixture();
  const address = await fixture.http((_seen, response) => response.end());
  const device = { id: 'lock', type: 'algo-device', name: 'Lock', address, model: '8039', firmware: '5.7' };
  const group = { id: 'all', type: 'algo-group', name: 'All', devices: ['lock'] };
  const door = { id: 'door', type: 'algo-door', target: 'group', group: 'all', operation: 'munlock' };
  const form = { doorid: { type: 'str', value: 'local' }, duration: { type: 'str', value: '5' } };
  // As in Node-RED's own settings file: its log takes no trace lines.
  const logging = { console: { level: 'info', metrics: false, audit: false } };
  await startFlow([device, group, { ...door, form }], { lock: { password: 'algo' } }, [], { logging });
  // The first one loads, connects and asks; the second one is a message as most are. A busy machine may take so long
  // in between that the connection is not used again: then the next message is the one that counts.
  const first = await ask('door');
  for (let count = 0; count < 20; count += 1) {
    entered.length = 0;
    isTracing = true;
    await ask('door');
    isTracing = false;
    if (!entered.includes('client/http/socket.ts')) break;
  }
  const outcome = first.sent[0]?.receipts?.[0]?.outcome;
  process.stdout.write(JSON.stringify({ outcome, entered }));
  await stopFlow();
  await fixture.clear();
}

void main();
