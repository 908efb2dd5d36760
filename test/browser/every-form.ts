import { books } from '../contract';
import { rows, shown } from '../editor/rows';
import type { FlowNode } from '../fixtures/node-red';

type Entry = { readonly type: string; readonly value: unknown };
type Form = Readonly<Record<string, Entry>>;

/** One dialog: what the node stores, and the rows that its dialog shows, typed from the document. */
export interface Visit {
  readonly node: FlowNode;
  readonly rows: readonly string[];
  /** What the dialog itself chose, where it shows one of several variants. */
  readonly choice?: string;
}

/** What the answer to reading the calendar says about itself: a message may bring it back, no dialog asks. */
const unasked = 'format';

/** Objects of the document whose fields have rows of their own. */
const nested = ['state'];

/** A node for each operation, variant and template, with every field that the transcripts give it. */
export const visits: readonly Visit[] = [
  ...Object.entries(rows).flatMap(([resource, operations]) =>
    Object.entries(operations).map(
      ([operation, names]): Visit => ({
        node: nodeOf(resource, operation, formOf(without(unasked, given(resource, operation)))),
        rows: names,
      }),
    ),
  ),
  ...Object.entries(shown).map(([choice, names]): Visit => {
    const parameters = given('screen', 'start', (one) => choiceOf(one) === choice);
    return { node: nodeOf('screen', 'start', formOf(parameters), choice), rows: names, choice };
  }),
];

/** Those with different rows: `test/editor/rows.test.ts` compares the rows of every operation without a browser. */
export const distinct: readonly Visit[] = visits.filter(
  ({ node, rows: names }, index) =>
    visits.findIndex((one) => one.node.type === node.type && one.rows.join() === names.join()) === index,
);

/** The form of each resource that has most rows. */
const richest = distinct.filter(
  ({ node, rows: names }) =>
    !distinct.some((one) => one.node.type === node.type && one.rows.length > names.length),
);

/** Forms with every value from elsewhere, an environment variable, and a field nobody knows. */
export const sourced: readonly Visit[] = richest.map(({ node, ...visit }) => {
  const [resource, operation, choice] = node.id.split(' ');
  const kept = Object.entries(node.form as Form).map(([name, entry], index) => [
    name,
    visit.choice && ['type', 'template'].includes(name) ? entry : sourceOf(index, entry),
  ]);
  const form = { ...Object.fromEntries(kept), unheardOf: { type: 'json', value: '{"a":[1]}' } };
  const own = resource === 'settings' && operation === 'put' ? {} : { rows: [...visit.rows, 'unheardOf'] };
  return { ...visit, ...own, node: nodeOf(`${resource}`, `${operation}`, form, choice, 'sourced') };
});

function sourceOf(index: number, entry: Entry): Entry {
  const sources: readonly Entry[] = [
    { type: 'msg', value: 'payload.value' },
    { type: 'flow', value: 'place.value' },
    { type: 'global', value: 'a.value' },
    { type: 'jsonata', value: 'payload & "x"' },
    { ...entry, value: '${VALUE}' },
  ];
  return sources[index % sources.length] ?? entry;
}

function nodeOf(resource: string, operation: string, form: Form, ...rest: (string | undefined)[]): FlowNode {
  const id = [resource, operation, ...rest].filter(Boolean).join(' ');
  const common = { z: 'tab', name: '', target: 'device', device: 'device', group: '', wires: [[]] };
  const chosen = resource === 'request' ? {} : { operation };
  const parameters = { parametersType: 'form', parameters: 'payload', form };
  return { id, type: `algo-${resource}`, ...common, ...chosen, ...parameters, x: 200, y: 100 };
}

/** A node for everything that a transcript asks for and a form can hold, and whether it is refused. */
export interface Asked {
  readonly node: FlowNode;
  readonly operationName: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Everything that the transcripts ask for, as forms: a form holds no Buffer, and no object where rows are. */
export const asked: readonly Asked[] = Object.values(books)
  .flat()
  .flatMap(({ ask }, index): Asked[] => {
    if (!ask || !Object.entries(ask.parameters).every(fitsForm)) return [];
    const { operation: operationName, parameters } = ask;
    const [resource = '', operation = resource] = operationName.split('/');
    return [
      { node: nodeOf(resource, operation, formOf(parameters), `asked ${index}`), operationName, parameters },
    ];
  });

function fitsForm([name, value]: readonly [string, unknown]): boolean {
  if (Buffer.isBuffer(value) || value === undefined || name in {}) return false;
  return !nested.includes(name) || (typeof value === 'object' && value !== null && !Array.isArray(value));
}

function without(unwanted: string, parameters: object): object {
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => name !== unwanted));
}

/** What the transcripts ask of an operation, all together; the richest is whole, so that its fields agree. */
function given(resource: string, operation: string, which = (_: object): boolean => true): object {
  const name = resource === operation ? resource : `${resource}/${operation}`;
  const asked = Object.values(books)
    .flat()
    .filter(({ ask, request }) => ask?.operation === name && request)
    .map(({ ask }) => ask?.parameters ?? {})
    .filter(which)
    .sort((a, b) => Object.keys(a).length - Object.keys(b).length);
  return Object.assign({}, ...asked);
}

function choiceOf(parameters: {
  readonly type?: unknown;
  readonly template?: unknown;
  readonly text1?: unknown;
  readonly screenName?: unknown;
}): string {
  const { type, template, text1, screenName } = parameters;
  if (type === 'template') return String(template);
  if (type === undefined) return screenName === undefined ? 'slideshow' : 'by-name';
  const types = { digitalClock: 'digital-clock', analogClock: 'analog-clock', blitz: 'flashing-images' };
  return types[String(type) as keyof typeof types] ?? (text1 === undefined ? 'image' : 'image-text');
}

function formOf(parameters: object): Form {
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]): [string, Entry][] => {
      if (!nested.includes(name)) return [[name, entryOf(value)]];
      return Object.entries(Object(value)).map(([inner, one]) => [`${name}.${inner}`, entryOf(one)]);
    }),
  );
}

function entryOf(value: unknown): Entry {
  if (Buffer.isBuffer(value)) return { type: 'msg', value: 'payload' };
  if (typeof value === 'number') return { type: 'num', value: String(value) };
  if (typeof value === 'boolean') return { type: 'bool', value: String(value) };
  return typeof value === 'string' ? { type: 'str', value } : { type: 'json', value: JSON.stringify(value) };
}
