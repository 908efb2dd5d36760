import assert from 'node:assert/strict';
import { everyGroup } from '../../src/catalogue';

import { formOf } from '../../src/editor/field';
import { fields as documented, operations as promised, templates } from '../contract/fields';
import { read, textsIn } from './pages';
import { options, rows, shown } from './rows';

interface Section {
  readonly id: string;
  readonly html: string;
}

function sectionsOf(noun: string): Section[] {
  const page = read('dist', 'nodes', `${noun}.html`);
  return [...page.matchAll(/<div data-operation="([^"]+)"([\s\S]*?)\n {2}<\/div>/g)].map(
    ([, id = '', html = '']) => ({ id, html }),
  );
}

function fieldsIn(html: string): string[] {
  return [...html.matchAll(/data-field="([^"]+)"/g)].map(([, name = '']) => name);
}

/** The rows for the fields of an operation: an object's own fields stand for it, those of lists have none. */
function rowsFor(names: string): string[] {
  const all = names.split(' ').filter((name) => name !== '');
  const isOfState = (name: string) => name.startsWith('state.');
  return all.filter((name) => name !== 'state' && (!name.includes('.') || isOfState(name))).sort();
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
  for (const [noun, operations] of Object.entries(rows)) {
    it(`are those of the document for algo-${noun}`, () => {
      const found = sectionsOf(noun)
        .filter(({ id }) => noun !== 'screen' || id !== 'start')
        .map(({ id, html }) => [id, fieldsIn(html)]);
      assert.deepEqual(Object.fromEntries(found), operations);
    });
  }

  it('are typed for every node', () => {
    assert.deepEqual(Object.keys(rows).sort(), everyGroup.map(({ noun }) => noun).sort());
  });

  it('are the fields that the contract types for each operation, and no others', () => {
    const asked = [...promised, 'request'];
    assert.equal(asked.length, 56);
    for (const deed of asked) {
      const [noun = '', id = noun] = deed.split('/');
      const html = sectionsOf(noun).find((section) => section.id === id)?.html ?? '';
      assert.deepEqual([...new Set(fieldsIn(html))].sort(), rowsFor(documented[deed] ?? ''), deed);
    }
  });

  it('have each a label, limits and help', () => {
    let seen = 0;
    for (const { noun, operations } of everyGroup) {
      const texts = textsIn(`dist/nodes/locales/en-US/${noun}.json`);
      const page = read('dist', 'nodes', `${noun}.html`);
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
    for (const { noun } of everyGroup) {
      const ids = [...read('dist', 'nodes', `${noun}.html`).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
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

  it('is chosen from the seven variants and the 21 templates, or is all there is', () => {
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
    const schemas = [...html.matchAll(/data-schema="([^"]+)"/g)].map(([, text = '']) =>
      JSON.parse(text.replaceAll('&quot;', '"')),
    );
    const hours = (choice: string) => {
      const places = choices.get(choice)?.rows?.split(' ') ?? [];
      return schemas[Number(places.find((place) => fields[+place] === 'clockFormat'))]?.enum;
    };
    assert.deepEqual(hours('digital-clock'), ['12h', '24h']);
    assert.deepEqual(hours('school_time'), ['12hr', '24hr']);
  });
});

describe('the options of the dialogs', () => {
  for (const { noun } of everyGroup) {
    it(`are those that an operation of algo-${noun} has`, () => {
      const page = read('dist', 'nodes', `${noun}.html`);
      const found = [...page.matchAll(/data-option="([^"]+)" data-operations="([^"]+)"/g)];
      const having = found.map(([, option, operations = '']) => [option, operations.split(' ')]);
      assert.deepEqual(Object.fromEntries(having), options[noun] ?? {});
    });
  }
});
