import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { exampleFiles, titleOf } from '../fixtures/examples';
import { root } from '../fixtures/pack';
import { type DrawnNode, faultsIn } from './flow-drawing';

interface FlowNode extends DrawnNode {
  readonly credentials?: unknown;
  readonly label?: string;
  readonly tags?: string;
  readonly info?: string;
  readonly complete?: string;
  readonly env?: unknown;
}

type Jsonata = (expression: string) => { evaluate(input: unknown): Promise<unknown> };

/** The one of Node-RED. */
const jsonata: Jsonata = createRequire(createRequire(require.resolve('node-red')).resolve('@node-red/util'))(
  'jsonata',
);

function read(file: string): FlowNode[] {
  return JSON.parse(readFileSync(path.join(root, file), 'utf8'));
}

const isConfiguration = ({ type, x }: FlowNode): boolean => type !== 'tab' && x === undefined;

/** The types of nodes that a page puts into the palette; configuration nodes are not there. */
function paletteTypes(): string[] {
  const directory = path.join(root, 'nodes');
  const pages = readdirSync(directory).filter((file) => file.endsWith('.html'));
  const definitions = pages.map((file) => readFileSync(path.join(directory, file), 'utf8'));
  return definitions.flatMap((page) => {
    const [, type, category] = /registerType\("([^"]+)", \{\s*category: "([^"]+)"/.exec(page) ?? [];
    return type && category !== 'config' ? [type] : [];
  });
}

describe('the example flows', () => {
  const files = exampleFiles;
  const flows = [...files, 'scripts/demo/flow.json'];

  it('show every node of the palette', () => {
    const shown = new Set(files.flatMap((file) => read(file).map(({ type }) => type)));
    const types = paletteTypes();
    assert.ok(types.includes('algo-door') && types.includes('algo-tone'));
    assert.deepEqual(
      types.filter((type) => !shown.has(type)),
      [],
    );
  });

  it('have one tab each, named as in the menu', () => {
    const tabs = files.map((file) => [
      titleOf(file),
      ...read(file).flatMap(({ type, label }) => (type === 'tab' ? [label] : [])),
    ]);
    for (const [title, ...labels] of tabs) assert.deepEqual(labels, [title]);
  });

  it('are in folders and have names that Node-RED puts into an address as they are', () => {
    for (const file of files) assert.match(file, /^examples\/\d [A-Z][a-z ]+\/[^#?%/]+\.json$/);
    assert.ok(files.length > 35);
    const first = files.filter((file) => file.startsWith('examples/1 Start here/')).map(titleOf);
    assert.equal(first[0], 'Try it without hardware');
    assert.ok(first.length <= 4);
  });

  it('have one sentence in the tab, and a comment on top', () => {
    for (const file of files) {
      const [tab, ...nodes] = read(file);
      assert.match(tab?.info ?? '', /^[^.!?]+\.$/, file);
      const [top] = nodes
        .filter(({ y }) => y !== undefined)
        .sort((one, other) => Number(one.y) - Number(other.y));
      assert.equal(top?.type, 'comment', file);
    }
  });

  it('share the configuration nodes of one name, and no other node', () => {
    const known = new Map<string, string>();
    const owners = new Map<string, string>();
    const shared = new Set<string>();
    for (const file of files) {
      for (const node of read(file)) {
        const isShared = isConfiguration(node);
        const name = `${node.type} ${isShared ? node.name : node.id}`;
        const definition = JSON.stringify(node);
        assert.equal(known.get(name) ?? definition, definition, `${file}: ${name}`);
        if (known.has(name)) shared.add(String(node.name));
        known.set(name, definition);
        assert.equal(owners.get(node.id) ?? name, name, `${file}: ${node.id}`);
        assert.ok(isShared || !owners.has(node.id), `${file}: ${node.id}`);
        owners.set(node.id, name);
      }
    }
    assert.ok(shared.has('Hall speaker'), [...shared].join());
  });

  /**
   * Node-RED's "Import copy" keeps the configuration nodes that are there, and gives all others a new id. A third example
   * would then bring such a node again.
   */
  it('share all configuration nodes with another example, or none, but for those of one example', () => {
    const sets = files.map((file) => read(file).flatMap((node) => (isConfiguration(node) ? [node.id] : [])));
    const isOfOne = (id: string) => sets.filter((ids) => ids.includes(id)).length === 1;
    const common = sets.map((ids) => ids.filter((id) => !isOfOne(id)).sort());
    for (const [index, ids] of common.entries()) {
      for (const [place, others] of common.entries())
        if (ids.some((id) => others.includes(id)))
          assert.deepEqual(others, ids, `${files[index]}, ${files[place]}`);
    }
  });

  it('share a tag only with the examples that bring the same devices', () => {
    const owners = new Map<string, string>();
    for (const file of files) {
      const nodes = read(file);
      const devices = nodes.flatMap(({ id, type }) => (type === 'algo-device' ? [id] : [])).join();
      const tags = nodes.flatMap((node) => (node.tags ?? '').split(',').map((tag) => tag.trim()));
      for (const tag of new Set(tags.filter(Boolean))) {
        assert.equal(owners.get(tag) ?? devices, devices, `${tag}: ${file}`);
        owners.set(tag, devices);
      }
    }
    assert.ok(owners.size > 0);
  });

  it('have the address of Node-RED once, where a person can change it', () => {
    const address = '127.0.0.1:1880';
    const holders = files.filter((file) => JSON.stringify(read(file)).includes(address));
    assert.ok(holders.length > 0);
    for (const file of holders) {
      const places = JSON.stringify(read(file)).split(address).length - 1;
      const [tab] = read(file);
      assert.deepEqual([places, JSON.stringify(tab?.env).includes(address)], [1, true], file);
    }
  });

  for (const file of flows) {
    it(`${file} is drawn so that it can be read`, () => {
      const flow = read(file);
      const nameless = flow.filter(({ type, x, name }) => x !== undefined && type !== 'junction' && !name);
      assert.deepEqual(nameless, [], 'a node without a name says nothing');
      assert.deepEqual([...faultsIn(flow)], []);
    });

    it(`${file} shows receipts and errors in words`, () => {
      const shown = read(file).flatMap(({ type, complete }) => (type === 'debug' ? [complete] : []));
      assert.ok(!shown.includes('receipts') && !shown.includes('error'), String(shown));
    });
  }

  it('say in words too that an alert or an announcement sent nothing', async () => {
    const nothing = [{ operation: 'clear', receipts: [] }, { operation: 'acknowledge' }, {}];
    const texts = files.flatMap((file) => {
      const flow = read(file);
      if (!flow.some(({ type }) => type === 'algo-alert' || type === 'algo-announce')) return [];
      return flow.flatMap(({ type, complete = '' }) =>
        type === 'debug' && complete.includes('receipts.(') ? [complete] : [],
      );
    });
    assert.ok(texts.length > 0);
    for (const text of new Set(texts))
      for (const message of nothing)
        assert.match(String(await jsonata(text).evaluate(message)), /nothing was sent$/, text);
  });

  for (const file of flows) {
    it(`${file} needs no hardware, holds no secret and points nowhere else`, () => {
      const nodes = read(file);
      const ids = new Set(nodes.map(({ id }) => id));
      assert.equal(ids.size, nodes.length);
      assert.ok(nodes.some(({ type }) => type === 'algo-virtual-device'));
      assert.ok(nodes.every(({ credentials }) => credentials === undefined));
      const wires = nodes.flatMap((node) => ('wires' in node && Array.isArray(node.wires) ? node.wires : []));
      assert.ok(wires.flat().length > 0);
      assert.ok(wires.flat().every((id) => ids.has(id)));
    });
  }
});

describe('the look at how a flow is drawn', () => {
  const at = (id: string, x: number, y: number, wires: string[][] = []) => ({
    ...{ id, type: 'change', name: id, z: 'tab' },
    ...{ x, y, wires },
  });
  const faults = (...flow: DrawnNode[]) => [...faultsIn(flow)];

  it('sees nothing wrong with a row', () => {
    assert.deepEqual(faults(at('a', 100, 60, [['b']]), at('b', 300, 60, [['c']]), at('c', 500, 60)), []);
    assert.deepEqual(faults(at('a', 100, 60, [['c']]), at('b', 300, 120), at('c', 500, 60)), []);
  });

  it('sees a wire behind a node, one that goes back, and nodes over each other', () => {
    const behind = faults(at('a', 100, 60, [['c']]), at('b', 300, 60), at('c', 500, 60));
    assert.deepEqual(behind, ['the wire from "a" to "c" runs behind "b"']);
    assert.deepEqual(faults(at('a', 300, 60, [['b']]), at('b', 100, 120)), [
      'the wire from "a" to "b" goes back',
    ]);
    assert.deepEqual(faults(at('a', 100, 60), at('b', 180, 80)), ['"a" and "b" are over each other']);
    assert.deepEqual(faults(at('a', 100, 60), { ...at('b', 180, 80), z: 'other' }), []);
  });
});
