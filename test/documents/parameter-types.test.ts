import assert from 'node:assert/strict';
import ts from 'typescript';
import { parameterTypes } from '../../src/documents/parameter-types';
import { books } from '../contract';
import { fieldsOf, operations } from '../contract/promised';

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts'],
  module: ts.ModuleKind.Node16,
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  types: [],
};

/** What stands above the lines of a program. */
const head = [
  "import type { OperationParameters as Takes } from './parameters';",
  'type Within<A, B> = [A] extends [B] ? true : { readonly missing: Exclude<A, B> };',
];

/** All of Node's types would take seconds to be read. */
const buffer = 'declare class Buffer { static from(text: string): Buffer; private readonly bytes: never; }';

/** What the compiler says of a program beside the rendered types, one sentence for each mistake. */
function mistakesIn(lines: readonly string[]): string[] {
  const files: Readonly<Record<string, string>> = {
    '/buffer.d.ts': buffer,
    '/parameters.d.ts': parameterTypes(),
    '/program.ts': [...head, ...lines].join('\n'),
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.getSourceFile = (file, ...rest) => {
    const text = files[file];
    return text === undefined
      ? getSourceFile(file, ...rest)
      : ts.createSourceFile(file, text, ts.ScriptTarget.ES2022);
  };
  host.fileExists = (file) => file in files || fileExists(file);
  host.readFile = (file) => files[file] ?? readFile(file);
  const program = ts.createProgram(['/program.ts', '/buffer.d.ts'], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const index = file?.fileName === '/program.ts' ? file.getLineAndCharacterOfPosition(start).line : -1;
    return `${lines[index - head.length] ?? file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

/** A value as it is written in a program. */
function written(value: unknown): string {
  if (Buffer.isBuffer(value)) return "Buffer.from('')";
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(JSON.stringify(value));
  return `{ ${Object.entries(value)
    .map(([key, entry]) => `${JSON.stringify(key)}: ${written(entry)}`)
    .join(', ')} }`;
}

/** Patterns and brightnesses by name: the nodes alone translate them. */
const named = ['pattern', 'strobeFlash', 'ledlvl', 'strobeLedlvl'];
const isByName = (parameters: Readonly<Record<string, unknown>>) =>
  named.some((name) => typeof parameters[name] === 'string' && /[a-z]/i.test(parameters[name]));

const { request: _, ...described } = books;
const asked = Object.values(described)
  .flat()
  .flatMap(({ ask, request }) => (ask && request ? [ask] : []))
  // What a device answered may hold null, which is dropped: a program has no reason to write it.
  .filter(({ parameters }) => !/:null\b/.test(JSON.stringify(parameters)));
const line = (operation: string, parameters: unknown) =>
  `({ takes: ${written(parameters)} }) satisfies { takes: Takes['${operation}'] };`;

const names = operations.map((operation) => {
  const known = fieldsOf(operation).filter((name) => !name.includes('.'));
  // What `get` answers says its format, and can be given to `apply` (docs/readings.md).
  const all = operation === 'scheduler/apply' ? [...known, 'format'] : known;
  const keys = all.length > 0 ? all.map((name) => `'${name}'`).join(' | ') : 'string';
  const wanted = operation === 'settings/put' ? 'string | number' : keys;
  return `true satisfies Within<${wanted}, keyof Takes['${operation}']>;`;
});
const every = `true satisfies Within<${operations.map((name) => `'${name}'`).join(' | ')}, keyof Takes>;`;

const wrong = [
  line('door/munlock', { doorid: 'local', duraton: 5 }),
  line('door/munlock', { doorid: 'local' }),
  line('door/munlock', { doorid: 'garage', duration: 5 }),
  line('door/munlock', { doorid: 'local', duration: null }),
  line('relay/enable', { duration: 5 }),
  line('screen/start', { typo: 'image' }),
  line('scheduler/apply', { events: [{ nmae: 'Lunch' }] }),
  line('settings/put', { 'audio.page.vol': true }),
  line('files/put', { path: 'a.txt', content: 5 }),
];

const lines = asked.map(({ operation, parameters }) => line(operation, parameters));
const linesByName = asked
  .filter(({ parameters }) => isByName(parameters))
  .map(({ operation, parameters }) => line(operation, parameters));

describe('the types of the parameters', () => {
  let mistakes: readonly string[];

  /** Those of these lines that do not compile, with the compiler's words. */
  const mistakesOf = (some: readonly string[]) =>
    mistakes.filter((mistake) => some.some((text) => mistake.startsWith(text)));

  /** Those of these lines that compile. */
  const goodOf = (some: readonly string[]) =>
    some.filter((text) => !mistakes.some((mistake) => mistake.startsWith(text)));

  before(() => {
    mistakes = mistakesIn([every, ...names, ...lines, ...wrong]);
  });

  it('are types', () => {
    const all = [every, ...names, ...lines, ...wrong];
    assert.deepEqual(
      mistakes.filter((mistake) => !all.some((text) => mistake.startsWith(text))),
      [],
    );
  });

  it('are those of every operation that programs may rely on, with every field', () => {
    assert.ok(names.length > 40);
    assert.deepEqual(mistakesOf([every, ...names]), []);
  });

  it('take what every transcript asks for', () => {
    const right = lines.filter((text) => !linesByName.includes(text));
    assert.ok(right.length > 100);
    assert.deepEqual(mistakesOf(right), []);
  });

  it('take no names for numbers', () => {
    assert.ok(linesByName.length > 3);
    assert.deepEqual(goodOf(linesByName), []);
  });

  it('take nothing that is misspelt, missing or of another type', () => {
    assert.deepEqual(goodOf(wrong), []);
  });

  it('say what an operation and a parameter are', () => {
    const [, door = ''] = parameterTypes().split('/** Unlocks the door for the given time.');
    assert.equal(
      door.slice(0, door.indexOf('};')),
      ` The device locks the door again by itself. */
  readonly 'door/munlock': {
    /** The door. local: the door on the relay of the device itself. netdc1: the door of an 8063 that serves this intercom as its remote network door controller; for intercoms only. */
    readonly doorid: 'netdc1' | 'local';
    /** Time that the door stays unlocked. The API does not document the effect of 0. (s) */
    readonly duration: string | number;
  `,
    );
  });
});
