import assert from 'node:assert/strict';
import ts from 'typescript';
import { definitionsIn, objectAt, property, read, resources } from '../editor/pages';

interface Row {
  readonly label: string;
  readonly type: string;
  readonly preset: string;
  readonly message: string;
}

/** The rows of the table of properties in the page of a node, by the name of the property. */
function rowsOf(resource: string): ReadonlyMap<string, Row> {
  const [, section = ''] = read('docs', 'nodes', `algo-${resource}.md`).split('\n## ');
  const rows = section.split('\n').flatMap((line): [string, Row][] => {
    const [, label = '', name = '', type = '', preset = '', message = ''] = line.split(/ ?(?<!\\)\| ?/);
    return /^`.+`$/.test(name) ? [[name.slice(1, -1), { label, type, preset, message }]] : [];
  });
  return new Map(rows);
}

/** The defaults that the built page of a node declares, as JSON. */
function declared(resource: string): {
  defaults: ReadonlyMap<string, unknown>;
  credentials: readonly string[];
} {
  const [definition] = definitionsIn(read('dist', 'nodes', `${resource}.html`));
  assert.ok(definition, resource);
  const namesOf = (object: ts.ObjectLiteralExpression) =>
    object.properties.map(({ name }) => (name && ts.isIdentifier(name) ? name.text : ''));
  const defaults = objectAt(definition.object, 'defaults');
  const entries = namesOf(defaults).map((name): [string, unknown] => {
    const value = property(objectAt(defaults, name), 'value');
    assert.ok(value, `${resource}.${name}`);
    return [name, ts.isStringLiteral(value) ? value.text : JSON.parse(value.getText())];
  });
  const has = property(definition.object, 'credentials') !== undefined;
  const credentials = has ? namesOf(objectAt(definition.object, 'credentials')) : [];
  return { defaults: new Map(entries), credentials };
}

describe('the page of a node in the documents', () => {
  for (const resource of resources) {
    it(`of algo-${resource} has each property with the default that the editor declares`, () => {
      const rows = rowsOf(resource);
      const { defaults, credentials } = declared(resource);
      const more = resource === 'group' ? ['rowPassword<passwordKey>'] : [];
      assert.deepEqual([...rows.keys()], [...defaults.keys(), ...credentials, ...more]);
      for (const [name, value] of defaults) {
        const { label, type, preset } = rows.get(name) ?? assert.fail(name);
        assert.ok(label !== '' && type !== '', name);
        // For an empty text, the cell has the value that applies instead.
        if (value !== '')
          assert.equal(preset, `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``, name);
      }
    });
  }

  it('has the whole help of the node, as Markdown that any reader of documents shows', () => {
    const pageOf = (resource: string) => read('docs', 'nodes', `algo-${resource}.md`);
    const page = pageOf('alert');
    const headings = page.match(/^## .*$/gm);
    assert.deepEqual(headings, ['## Properties', '## Inputs', '## Outputs', '## Details', '## Examples']);
    assert.match(page, /^- `operation` \(string\): `start` \(the default\), `clear`/m);
    assert.match(page, /^ {3}- `alert\.state` \(string\): `idle`, `active` or `clearing`$/m);
    for (const resource of resources) {
      const lines = read('docs', 'nodes', `algo-${resource}.md`).split('\n');
      assert.deepEqual(
        lines.filter((line) => /^: |\{\{|&#/.test(line)),
        [],
        resource,
      );
    }
  });

  it('has the message properties that override a property', () => {
    const overridden = new Map(
      resources.flatMap((resource) =>
        [...rowsOf(resource)].flatMap(([name, { message }]) =>
          [...message.matchAll(/`(msg\.\w+)`/g)].map(([, found = '']): [string, string] => [
            `${resource}.${name}`,
            found,
          ]),
        ),
      ),
    );
    const contract = read('docs', 'contract.md');
    for (const message of new Set(overridden.values()))
      assert.ok(contract.includes(`\`${message}\``), message);
    assert.equal(overridden.get('door.ttl'), 'msg.ttl');
    assert.equal(overridden.get('door.target'), 'msg.device');
    assert.equal(overridden.get('door.operation'), 'msg.operation');
    assert.equal(overridden.get('status.interval'), 'msg.interval');
    assert.equal(overridden.get('alert.drill'), 'msg.drill');
    assert.equal(overridden.get('remote.sites'), 'msg.site');
    assert.equal(overridden.get('remote.devices'), 'msg.device');
    // A message cannot name the target of a node that watches.
    assert.equal(overridden.get('status.target'), undefined);
  });
});
