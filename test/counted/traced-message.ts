import { readFileSync } from 'node:fs';
import Module from 'node:module';
import path from 'node:path';
import ts from 'typescript';

/**
 * A program that sends one message, and prints, as JSON, the files of ours whose functions are entered on the way, in
 * that order. The message opens a door through a group of one device; with the argument `alert`, it starts three
 * actions at each of three devices. A program of its own: a function is only seen if its file was loaded here.
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

const isAlert = process.argv[2] === 'alert';
const text = (value: string) => ({ type: 'str', value });

const door = {
  ...{ id: 'subject', type: 'algo-door', operation: 'munlock' },
  form: { doorid: text('local'), duration: text('5') },
};
const alert = {
  ...{ id: 'subject', type: 'algo-alert', name: 'Alert', operation: '' },
  actions: [
    { operation: 'strobe/start', form: { pattern: text('slow'), color1: text('red'), ledlvl: text('high') } },
    { operation: 'screen/text-start', form: { textContent: text('LOCKDOWN') } },
    { operation: 'tone/start', form: { path: text('chime.wav'), loop: { type: 'bool', value: 'true' } } },
  ],
};

async function main(): Promise<void> {
  const {
    ClientFixture,
  }: typeof import('../fixtures/client-fixture') = require('../fixtures/client-fixture');
  const { ask, startFlow, stopFlow }: typeof import('../fixtures/flow') = require('../fixtures/flow');
  const fixture = new ClientFixture();
  const ids = isAlert ? ['wall', 'hall', 'gate'] : ['lock'];
  const devices = [];
  for (const id of ids) {
    const address = await fixture.http((_seen, response) => response.end());
    const model = isAlert ? '8410' : '8039';
    devices.push({ id, type: 'algo-device', name: `Device ${id}`, address, model, firmware: '5.7' });
  }
  const group = { id: 'all', type: 'algo-group', name: 'All', devices: ids };
  const subject = { ...(isAlert ? alert : door), target: 'group', group: 'all' };
  const credentials = Object.fromEntries(ids.map((id) => [id, { password: 'algo' }]));
  // As in Node-RED's own settings file: its log takes no trace lines.
  const logging = { console: { level: 'info', metrics: false, audit: false } };
  await startFlow([...devices, group, subject], credentials, [], { logging });
  // The first one loads, connects and asks; the second one is a message as most are. A pause in between, and each
  // status is shown directly, and none later with another one. On a busy machine the connection may not be used again,
  // the disk may be late, and answers may come one by one: the way that two messages in a row take is the one that counts.
  let { sent } = await ask('subject');
  let before = '';
  for (let count = 0; count < 30; count += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    for (isTracing of [false, true]) {
      if (isAlert) await ask('subject', { operation: 'clear' });
      entered.length = 0;
      ({ sent } = await ask('subject'));
    }
    const way = entered.join();
    if (way === before && !entered.includes('client/http/socket.ts')) break;
    before = way;
  }
  const outcomes = sent[0]?.receipts?.map(({ outcome }) => outcome);
  process.stdout.write(JSON.stringify({ outcomes, entered }));
  await stopFlow();
  await fixture.clear();
}

void main();
