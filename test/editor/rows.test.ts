import assert from 'node:assert/strict';
import { everyGroup } from '../../src/catalogue';

import { formOf } from '../../src/editor/field';
import { everyOperation, namesOf } from '../catalogue/check';
import { fieldsOf, promised, templates } from '../contract/promised';
import { read, textsIn } from './pages';
import { optionsOf, rows, shown } from './rows';

interface Section {
  readonly id: string;
  readonly html: string;
}

function sectionsOf(resource: string): Section[] {
  const page = read('dist', 'nodes', `${resource}.html`);
  return [
    ...page.matchAll(/<div data-operation="([^"]+)"([\s\S]*?)<div class="algo-error algo-too-few"/g),
  ].map(([, id = '', html = '']) => ({ id, html }));
}

function fieldsIn(html: string): string[] {
  return [...html.matchAll(/data-field="([^"]+)"/g)].map(([, name = '']) => name);
}

/** The rows for the fields of an operation: an object's own fields stand for it, those of lists have none. */
function rowsFor(names: readonly string[]): string[] {
  const isOfState = (name: string) => name.startsWith('state.');
  return names.filter((name) => name !== 'state' && (!name.includes('.') || isOfState(name)));
}

/** What a select's options say, by their values. */
function choicesIn(html: string): Map<string, Readonly<Record<string, string>>> {
  const found = [...html.matchAll(/<option value="([^"]*)"([^>]*)>/g)];
  return new Map(
    found.map(([, id = '', attributes = '']) => {
      const pairs = [...attributes.matchAll(/data-([\w-]+)="([^"]*)"/g)];
      return [id, Object.fromEntries(pairs.map(([, key = '', text = '']) => [key, text]))];
    }),
  );
}

describe('the rows of the dialogs', () => {
  for (const [resource, operations] of Object.entries(rows)) {
    it(`are those of the document for algo-${resource}`, () => {
      const found = new Map(sectionsOf(resource).map(({ id, html }) => [id, fieldsIn(html)]));
      for (const [id, names] of Object.entries(operations)) assert.deepEqual(found.get(id), names, id);
    });
  }

  it('are typed for every operation that is promised', () => {
    const typed = Object.entries(rows).flatMap(([resource, operations]) =>
      Object.keys(operations).map((id) => (id === resource ? resource : `${resource}/${id}`)),
    );
    assert.deepEqual([...typed, 'screen/start'].sort(), Object.keys(promised).sort());
  });

  it('are the fields of each operation, those promised among them, and no others', () => {
    for (const [operationName, operation] of everyOperation) {
      const [resource = '', id = resource] = operationName.split('/');
      const html = sectionsOf(resource).find((section) => section.id === id)?.html ?? '';
      const found = new Set(fieldsIn(html));
      // What is neither sent nor demanded does nothing in a dialog.
      const { fields, required } = operation;
      const asked = Object.entries(fields).filter(
        ([name, { sent }]) => sent !== false || required.includes(name),
      );
      assert.deepEqual([...found].sort(), rowsFor(namesOf(Object.fromEntries(asked))).sort(), operationName);
      assert.deepEqual(
        rowsFor(fieldsOf(operationName)).filter((name) => !found.has(name)),
        [],
        operationName,
      );
    }
  });

  it('have each a label, limits and help', () => {
    let seen = 0;
    for (const { resource, operations } of everyGroup) {
      const texts = textsIn(`dist/nodes/locales/en-US/${resource}.json`);
      const page = read('dist', 'nodes', `${resource}.html`);
      const keys = [...page.matchAll(/data-field="[^"]+" data-key="([^"]+)"/g)].map(([, key]) => key);
      assert.equal(keys.length, operations.flatMap((one) => formOf(one).rows).length);
      for (const key of keys) {
        for (const part of ['label', 'limits', 'help'])
          assert.ok(texts.get(`${key}.${part}`), `${key} ${part}`);
        seen += 1;
      }
    }
    assert.ok(seen > 100);
  });

  it('have identities of their own', () => {
    for (const { resource } of everyGroup) {
      const ids = [...read('dist', 'nodes', `${resource}.html`).matchAll(/ id="([^"]+)"/g)].map(
        ([, id]) => id,
      );
      assert.deepEqual(
        ids.filter((id, index) => ids.indexOf(id) !== index),
        [],
      );
    }
  });
});

describe('what a screen can show', () => {
  const [{ html }] = sectionsOf('screen').filter(({ id }) => id === 'start') as [Section];
  const fields = fieldsIn(html);
  const choices = choicesIn(html);
  const rowsOf = (id: string) =>
    (choices.get(id)?.rows ?? '')
      .split(' ')
      .flatMap((place) => (place === '' ? [] : (fields[+place] ?? '?')));

  it('is chosen from the variants and the templates, or is all there is', () => {
    assert.deepEqual([...choices.keys()], ['', ...Object.keys(shown), 'all']);
    const grouped = /<optgroup[^>]*>([\s\S]*)<\/optgroup>/.exec(html)?.[1] ?? '';
    assert.deepEqual([...choicesIn(grouped).keys()].sort(), [...templates].sort());
  });

  for (const [choice, expected] of Object.entries(shown)) {
    it(`has the rows of the document for ${choice}`, () => assert.deepEqual(rowsOf(choice), expected));
  }

  it('has a row for every field there is where nothing is chosen for good', () => {
    const all = rowsOf('all');
    assert.deepEqual(
      all.filter((name, index) => all.indexOf(name) !== index),
      [],
    );
    const every = new Set(['type', 'template', ...Object.values(shown).flat()]);
    assert.deepEqual([...all].sort(), [...every].sort());
  });

  it('takes hours as the clock or the template writes them', () => {
    const schemas = [...html.matchAll(/data-schema='([^']+)'/g)].map(([, text = '']) => JSON.parse(text));
    const hours = (choice: string) => {
      const places = choices.get(choice)?.rows?.split(' ') ?? [];
      return schemas[Number(places.find((place) => fields[+place] === 'clockFormat'))]?.enum;
    };
    assert.deepEqual(hours('digital-clock'), ['12h', '24h']);
    assert.deepEqual(hours('school_time'), ['12hr', '24hr']);
  });
});

describe('the options of the dialogs', () => {
  for (const { resource } of everyGroup) {
    it(`are those that an operation of algo-${resource} has`, () => {
      const page = read('dist', 'nodes', `${resource}.html`);
      const found = [...page.matchAll(/data-option="([^"]+)" data-operations="([^"]+)"/g)];
      const having = found.map(([, option, operations = '']) => [option, operations.split(' ')]);
      assert.deepEqual(Object.fromEntries(having), optionsOf(resource));
    });
  }
});
