import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { everyGroup } from '../../src/catalogue';
import { exampleFiles } from '../fixtures/examples';
import { root } from '../fixtures/pack';

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

const { nodes }: { nodes: Record<string, string> } = JSON.parse(read('package.json'))['node-red'];
const examples = exampleFiles.map(read);
const resources = everyGroup.map(({ resource }) => resource);

/** The names of the files in a folder that end so, without the ending. */
function namesIn(folder: string, ending: string): string[] {
  const files = readdirSync(path.join(root, folder)).filter((file) => file.endsWith(ending));
  return files.map((file) => path.basename(file, ending));
}

/** The icon that a node's page names; configuration nodes have none. */
function iconsOf(name: string): string[] {
  const page = `nodes/${name}.html`;
  if (!existsSync(path.join(root, page))) return [];
  return [...read(page).matchAll(/\bicon: "([^"/]+)"/g)].map(([, icon = '']) => icon);
}

/** What is missing of a node, by what CONTRIBUTING lists. */
function gapsOf(name: string): string[] {
  const code = `nodes/${name}.ts`;
  const entry = `../src/catalogue/${name}'`;
  const files = [code, `nodes/${name}.html`, ...iconsOf(name).map((icon) => `icons/${icon}`)];
  const isAction = resources.includes(name);
  const isListed = isAction || !existsSync(path.join(root, code)) || !read(code).includes(entry);
  return [
    ...files.filter((file) => !existsSync(path.join(root, file))),
    ...(nodes[name] === `dist/nodes/${name}.js` ? [] : [`${name} in package.json under node-red.nodes`]),
    ...(isListed ? [] : [`${name} in src/catalogue/index.ts`]),
    ...(isAction && !examples.some((flow) => flow.includes(`"algo-${name}"`))
      ? [`an example with algo-${name}`]
      : []),
  ];
}

describe('the nodes', () => {
  it('have all that belongs to a node', () => {
    const names = [
      ...resources,
      ...namesIn('nodes', '.ts'),
      ...namesIn('nodes', '.html'),
      ...Object.keys(nodes),
    ];
    const gaps = [...new Set(names)].flatMap(gapsOf);
    assert.ok(names.length > 0);
    assert.ok(gaps.length === 0, `missing: ${gaps.join('; ')}`);
  });

  it('use every icon there is', () => {
    const used = namesIn('nodes', '.html').flatMap(iconsOf);
    assert.ok(used.length > 0);
    assert.deepEqual(
      namesIn('icons', '').filter((icon) => !used.includes(icon)),
      [],
    );
  });
});
