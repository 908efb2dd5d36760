import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './pack';

interface FlowNode {
  readonly id: string;
  readonly type: string;
  readonly credentials?: unknown;
}

function read(file: string): FlowNode[] {
  return JSON.parse(readFileSync(path.join(root, file), 'utf8'));
}

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
  const files = readdirSync(path.join(root, 'examples')).map((file) => `examples/${file}`);
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
