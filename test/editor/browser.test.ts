import assert from 'node:assert/strict';
import { parseAddress } from '../../src/client/settings';
import { browserDirectory, bundle } from '../../src/editor/bundle';

type Field = Readonly<Record<string, unknown>>;
type Entry = { readonly type: string; readonly value: unknown };

interface Choice {
  readonly id: string;
  readonly sets: Readonly<Record<string, string>>;
  readonly needs: readonly string[];
}

/** The parts of the shared script that need no page. */
interface Script {
  checkEntry(field: Field, entry: unknown): string | undefined;
  same(a: unknown, b: unknown): boolean;
  entryOf(field: Field, type: string, value: string, stored?: unknown): Entry | undefined;
  shown(entry: unknown): Entry;
  choiceOf(choices: readonly Choice[], stored: Readonly<Record<string, unknown>>): string;
  isUndecided(choices: readonly Choice[], stored: Readonly<Record<string, unknown>>): boolean;
  checkAddress(address: string): string | undefined;
}

const optional = { type: 'string' };
const required = { type: 'string', required: true };
const port = { type: 'string', format: 'port' };
const day = { type: 'string', format: 'start-date', required: true, empty: true };
const tones = { type: 'string', format: 'file-path' };
const pattern = { type: 'integer', minimum: 0, names: ['slow', 'Flash All'] };
const size = { type: 'integer', minimum: 50, maximum: 300, words: ['tiny'] };
const level = { type: 'string', enum: ['0', '56'], names: ['low'] };
const anything = { type: 'any' };
const setting = { type: 'setting', required: true, empty: true };
const list = { type: 'array', items: { type: 'integer' } };
const bytes = { type: 'binary', required: true };
const group = { type: 'integer', minimum: 1, maximum: 25 };

describe('the shared script of the dialogs', () => {
  let script: Script;

  before(async () => {
    const contents = [
      'operations/check',
      'operations/entry',
      'operations/variant',
      'dialogs/device',
      'targets/address',
    ].map((part) => `export * from './${part}';`);
    const stdin = { contents: contents.join('\n'), resolveDir: browserDirectory };
    const text = await bundle({ stdin, format: 'esm' });
    script = await import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`);
    Object.assign(globalThis, { RED: { utils: { validateTypedProperty: () => true } } });
  });

  const findings: [string, Field, unknown, string | undefined][] = [
    ['an optional field that is not sent', optional, undefined, undefined],
    ['a required field that is not there', required, undefined, 'required'],
    ['a required text that is empty', required, { type: 'str', value: '' }, 'required'],
    ['an optional text that is empty', optional, { type: 'str', value: '' }, undefined],
    ['a number that is empty', group, { type: 'num', value: '' }, 'required'],
    ['a number in its limits', group, { type: 'num', value: '25' }, undefined],
    ['a number beyond its limits', group, { type: 'num', value: '26' }, 'value'],
    ['a number below its limits', group, { type: 'num', value: 0 }, 'value'],
    ['half a number where a whole one is wanted', group, { type: 'num', value: '1.5' }, 'value'],
    ['a text that is no number', group, { type: 'str', value: 'seven' }, 'value'],
    ['a number by its format', port, { type: 'num', value: '50002' }, undefined],
    ['a number against its format', port, { type: 'num', value: '0' }, 'value'],
    ['a number that a text would lose', group, { type: 'str', value: '07' }, 'value'],
    ['a day that may be empty', day, { type: 'str', value: '' }, undefined],
    ['a day that is none', day, { type: 'str', value: '2026-02-29' }, 'value'],
    ['a slash that is taken off', tones, { type: 'str', value: '/tones/chime.wav' }, undefined],
    ['a way out of the file manager', tones, { type: 'str', value: 'tones/../x' }, 'value'],
    ['a choice that is not made', pattern, { type: 'str', value: '' }, 'required'],
    ['a text without a value', optional, { type: 'str' }, 'required'],
    ['JSON that is no list', list, { type: 'json', value: '{}' }, 'value'],
    ['JSON that is a number', group, { type: 'json', value: '7' }, undefined],
    ['JSON that is a number beyond its limits', group, { type: 'json', value: '26' }, 'value'],
    [
      'a value of the enumeration',
      { ...optional, enum: ['poly'] },
      { type: 'str', value: 'poly' },
      undefined,
    ],
    [
      'capitals that the enumeration has not',
      { ...optional, enum: ['poly'] },
      { type: 'str', value: 'Poly' },
      'value',
    ],
    ['true', { type: 'boolean' }, { type: 'bool', value: 'true' }, undefined],
    ['neither true nor false', { type: 'boolean' }, { type: 'str', value: 'yes' }, 'value'],
    ['a text that is too long', { ...optional, maxLength: 2 }, { type: 'str', value: 'abc' }, 'value'],
    ['an environment variable', group, { type: 'num', value: '${GROUP}' }, undefined],
    ['an environment variable by type', group, { type: 'env', value: 'GROUP' }, undefined],
    ['an unknown type', optional, { type: 'date', value: 'iso' }, 'type'],
    ['a value that is no entry', optional, 'chime.wav', 'entry'],
    ['an entry of null', optional, null, 'entry'],
    ['a name in other capitals', pattern, { type: 'str', value: 'flash all' }, undefined],
    ['a number where there are names', pattern, { type: 'num', value: '7' }, undefined],
    ['a name that is none', pattern, { type: 'str', value: 'wild' }, 'value'],
    ['a word of the wire', size, { type: 'str', value: 'tiny' }, undefined],
    ['a word of the wire in capitals', size, { type: 'str', value: 'Tiny' }, 'value'],
    ['a number beyond the words', size, { type: 'num', value: '301' }, 'value'],
    ['a name beside an enumeration', level, { type: 'str', value: 'Low' }, undefined],
    ['a value that is neither', level, { type: 'str', value: '57' }, 'value'],
    ['a text where anything goes', anything, { type: 'str', value: 'x' }, undefined],
    ['a text where a Buffer is wanted', bytes, { type: 'str', value: 'x' }, 'value'],
    ['a text that may be a Buffer', { ...bytes, encoding: 'utf8' }, { type: 'str', value: 'x' }, undefined],
    ['a text where a list is wanted', { type: 'array' }, { type: 'str', value: 'x' }, 'value'],
    ['a setting that is empty', setting, { type: 'str', value: '' }, undefined],
    ['a setting that is a number', setting, { type: 'num', value: '1' }, undefined],
    ['a setting that is true', setting, { type: 'bool', value: 'true' }, 'value'],
    ['an object written by hand', anything, { type: 'json', value: { a: 1 } }, undefined],
    ['a field that the operation has not', { unknown: true }, { type: 'str', value: 'x' }, 'unknown'],
  ];
  for (const [name, field, entry, finding] of findings) {
    it(`finds ${finding ?? 'nothing'} in ${name}`, () => {
      assert.equal(script.checkEntry(field, entry), finding);
    });
  }

  it('compares whatever the order of the keys', () => {
    assert.ok(script.same({ a: 1, b: { c: [2] } }, { b: { c: [2] }, a: 1 }));
    for (const [a, b] of [
      [{ a: 1 }, { a: 2 }],
      [{ a: 1 }, { a: 1, b: 2 }],
      [{ a: undefined }, { b: 1 }],
      [[], {}],
      [null, {}],
    ]) {
      assert.equal(script.same(a, b), false, JSON.stringify([a, b]));
    }
  });

  it('stores nothing for a required field that is still empty', () => {
    assert.equal(script.entryOf(required, 'str', ''), undefined);
    assert.deepEqual(script.entryOf(optional, 'str', ''), { type: 'str', value: '' });
  });

  it('stores what was stored as long as it is shown unchanged', () => {
    const stored = { type: 'num', value: 5, note: 'by hand' };
    assert.equal(script.entryOf(required, 'num', '5', stored), stored);
    assert.deepEqual(script.entryOf(required, 'num', '6', stored), { type: 'num', value: '6' });
  });

  it('shows what was written into a flow by hand', () => {
    assert.deepEqual(script.shown('local'), { type: 'str', value: 'local' });
    assert.deepEqual(script.shown({ type: 'bool', value: false }), { type: 'bool', value: 'false' });
    assert.deepEqual(script.shown({ type: 'json', value: { a: 1 } }), { type: 'json', value: '{"a":1}' });
    assert.deepEqual(script.shown({ type: 'str' }), { type: 'str', value: '' });
  });

  const text = (value: string) => ({ type: 'str', value });
  const choices = [
    { id: 'image', sets: { type: 'image' }, needs: [] },
    { id: 'by-name', sets: {}, needs: ['screenName'] },
    { id: 'image-text', sets: { type: 'image' }, needs: ['text1'] },
    { id: 'reminder', sets: { type: 'template', template: 'reminder' }, needs: [] },
  ];
  const forms: [string, Readonly<Record<string, unknown>>, choice: string, undecided: boolean][] = [
    ['nothing', {}, '', true],
    ['a type', { type: text('image') }, 'image', false],
    ['a type as a bare value', { type: 'image' }, 'image', false],
    ['a type and what makes it more', { type: text('image'), text1: text('') }, 'image-text', false],
    ['a field that is there at all', { screenName: { type: 'msg', value: 'payload' } }, 'by-name', false],
    ['a type and a template', { type: text('template'), template: text('reminder') }, 'reminder', false],
    ['a template without a type', { template: text('reminder') }, 'all', true],
    ['a template that is not known', { type: text('template'), template: text('party') }, 'all', true],
    [
      'a template from the message',
      { type: text('template'), template: { type: 'msg', value: 't' } },
      'all',
      false,
    ],
    ['a type from the environment', { type: text('${TYPE}') }, 'all', false],
    ['two that contradict each other', { type: text('image'), screenName: text('x') }, 'all', true],
    ['fields of any of them', { stopAfter: { type: 'num', value: '5' } }, 'all', true],
  ];
  for (const [name, form, choice, undecided] of forms) {
    it(`takes ${name} for the choice "${choice}"${undecided ? ', and says that one is missing' : ''}`, () => {
      const stored = Object.assign(Object.create(null), form);
      assert.equal(script.choiceOf(choices, stored), choice);
      assert.equal(script.isUndecided(choices, stored), undecided);
    });
  }

  const addresses: [string, string | undefined][] = [
    ['192.0.2.10', undefined],
    ['door.example.org:8443', undefined],
    ['[2001:db8::10]:443', undefined],
    ['http://192.0.2.10', undefined],
    ['https://proxy.example.org/door', undefined],
    ['', 'noAddress'],
    ['admin:secret@192.0.2.10', 'userInfo'],
    ['https://admin@192.0.2.10', 'userInfo'],
    ['ftp://192.0.2.10', 'address'],
    ['the front door', 'address'],
    ['${DOOR}', undefined],
    ['http://${DOOR}:8080', 'address'],
    ['${DOOR}:8080', 'address'],
    ['192.0.2.10:99999', 'address'],
    ['http:192.0.2.10', 'address'],
    ['https://192.0.2.10/?a=b', 'address'],
    ['192.0.2.10#top', 'address'],
    ['192\\0', 'address'],
    ['010.0.2.10', 'address'],
  ];
  for (const [address, finding] of addresses) {
    it(`finds ${finding ?? 'nothing'} in the address "${address}"`, () => {
      assert.equal(script.checkAddress(address), finding);
      // As at runtime, where a variable has its value by then.
      if (address.includes('${')) return;
      if (finding === undefined) parseAddress(address);
      else assert.throws(() => parseAddress(address));
    });
  }
});
