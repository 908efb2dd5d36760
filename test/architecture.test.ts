import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');

/** Who may import whom; a folder may always import itself. Packages are named as they are imported. */
const rules: Record<string, { ours: RegExp; packages: string[] }> = {
  // A finding of a property has the words of the findings of fields.
  'src/kernel': {
    ours: /^src\/catalogue\/(?:describe|localized-message|phrases)$/,
    packages: [],
  },
  'src/catalogue': { ours: /^$/, packages: [] },
  'src/client': {
    ours: /^src\/(?:catalogue|kernel\/time)(?:\/|$)/,
    packages: ['undici', 'undici/lib/dispatcher/client.js'],
  },
  // What is wrong with a bell is said in the words of the other findings.
  'src/bells': {
    ours: /^src\/catalogue\/(?:duration|localized-message|phrases)$|^src\/kernel\/time\/slices$/,
    packages: ['ical.js'],
  },
  // The messages of the broker are shapes.
  'src/sites': { ours: /^src\/kernel\/shape$/, packages: [] },
  'src/runtime': {
    ours: /^src\/(?:bells|catalogue|client|kernel|sites)(?:\/|$)/,
    packages: ['node-red'],
  },
  'src/library': { ours: /^src\/(?:catalogue|client|kernel\/time)(?:\/|$)/, packages: [] },
  'src/documents': { ours: /^src\/catalogue(?:\/|$)/, packages: [] },
  // What an endpoint answers is typed once, for who answers and for who asks.
  'src/editor': {
    ours: /^src\/(?:(?:bells|catalogue)(?:\/|$)|runtime\/answers$)/,
    packages: ['esbuild', 'papaparse'],
  },
  'src/virtual-device': {
    ours: /^$/,
    packages: ['selfsigned', 'undici'],
  },
  nodes: { ours: /^src\/(?:runtime|catalogue)\//, packages: ['node-red'] },
};

interface Import {
  readonly file: string;
  readonly folder: string;
  readonly from: string;
}

function importsIn(folder: string): Import[] {
  const files = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const text = readFileSync(path.join(root, folder, file), 'utf8');
      const found = text.matchAll(/(?:\bfrom\s|\bimport\s|\brequire\(|\bimport\()\s*'([^']+)'/g);
      return [...found].map(([, from = '']) => ({ file: path.join(folder, file), folder, from }));
    });
}

/** Why an import breaks the rule of its folder, or nothing. */
function breach({ file, folder, from }: Import): string | undefined {
  const rule = rules[folder];
  if (!rule || from.startsWith('node:')) return undefined;
  if (!from.startsWith('.')) {
    return rule.packages.includes(from) ? undefined : `${file} imports the package ${from}`;
  }
  const target = path.relative(root, path.resolve(root, path.dirname(file), from));
  // Every room may ask what a piece of JSON is.
  if (target.startsWith(`${folder}/`) || rule.ours.test(target) || target === 'src/json') return undefined;
  // A dialog draws what the panel draws; plain scripts, which the editor's bundle takes in.
  if (/^src\/editor\/browser\/pictures\//.test(file) && /^src\/virtual-device\/panel\/page\//.test(target))
    return undefined;
  if (/^nodes\/virtual/.test(file) && target.startsWith('src/virtual-device/')) return undefined;
  return `${file} imports ${target}`;
}

/** The rooms of the runtime, lowest first: a room imports only rooms before it, types included. */
const runtimeRooms: readonly string[] = [
  // Files of one concept each, which several rooms use.
  ...['answers', 'per-node-red', 'flows-stopped', 'lazy', 'stored-node'],
  ...[
    'journal',
    'device',
    'message',
    'auto-stop',
    'alert',
    'bells',
    'settings',
    'watch',
    'announce',
    'supervision',
    'sites',
    'webhook',
  ],
  ...['overview', 'admin', 'register', 'start'],
];

/** The rooms of the editor's scripts, lowest first: a room imports only rooms before it, types included. */
const browserRooms: readonly string[] = [
  'node-globals',
  ...['page', 'language', 'operations', 'table', 'targets', 'node', 'pictures', 'tools', 'form', 'support'],
  ...['alert', 'bells', 'virtual', 'sidebar', 'dialogs'],
  'algo-form',
];

/** Files of under 40 lines with one importer, and the reason for each. */
const smallFiles: Readonly<Record<string, string>> = {
  'src/bells/ical.ts': 'loads a library that is absent from many processes, and is tested without it',
  'src/catalogue/known-names.ts': 'a list of the document, which only the editor offers',
  'src/documents/operations-page.ts': 'writes one page of docs, and shares nothing with the other page',
  'src/editor/browser/sidebar/csv.ts': 'a file format, which a test loads without the sidebar',
  'src/editor/browser/sidebar/load.ts': 'the door of the room: loads the script of the sidebar',
  'src/editor/browser/sidebar/window.ts': 'a calculation, which a test loads without a page',
  'src/editor/browser/tools/show-keys.ts': 'the only tool of the dialog of algo-remote',
  'src/editor/requirements.ts': 'reads the catalogue for a page; its importer runs esbuild and reads none',
  'src/runtime/bells/bell-hooks.ts': 'loads the engine of the bells with the first message that needs it',
  'src/runtime/message/receipts-node.ts': 'a node of its own',
  'src/virtual-device/node/panel-address.ts': 'loaded with the first virtual device; a node has glue only',
  'src/virtual-device/routes/emergency.ts': 'one section of the document, as each file of routes',
};

/** The names of the source files below a folder, declarations left out. */
function filesIn(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .map((file) => path.join(folder, file));
}

/** The room of a file below a folder: its folder there, or the file itself; undefined for files elsewhere. */
function roomOf(file: string, folder: string): string | undefined {
  return file.startsWith(`${folder}/`) ? /^[a-z-]+/.exec(file.slice(folder.length + 1))?.[0] : undefined;
}

/** The imports below a folder that lead to a room which is not lower, given the rooms with the lowest first. */
function upwardImports(folder: string, rooms: readonly string[]): string[] {
  return [...importGraph(folder)].flatMap(([file, targets]) =>
    targets.flatMap((target) => {
      const [room, other] = [roomOf(file, folder), roomOf(target, folder)];
      if (room === undefined || other === undefined || room === other) return [];
      return rooms.indexOf(other) < rooms.indexOf(room) ? [] : `${file} imports ${target}`;
    }),
  );
}

/** The files that esbuild, a script, the package or the command line begins with. */
function entryFiles(): ReadonlySet<string> {
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
  const bundling = read('src/editor/bundle.ts') + read('src/editor/render.ts');
  const joined = [...bundling.matchAll(/path\.join\(browserDirectory, ((?:'[^']+'(?:, )?)+)\)/g)].map(
    ([, names = '']) =>
      ['src/editor/browser', ...names.split(', ').map((name) => name.slice(1, -1))].join('/'),
  );
  // The script of the week is a text that imports one file.
  const imported = [...bundling.matchAll(/"import [^"]* from '\.\/([^']+)';"/g)].map(
    ([, name = '']) => `src/editor/browser/bells/${name}.ts`,
  );
  const started = [
    'package.json',
    ...readdirSync(path.join(root, 'scripts')).map((name) => `scripts/${name}`),
  ]
    .filter((file) => /\.(?:json|mjs|cjs)$/.test(file))
    .flatMap((file) => [...read(file).matchAll(/\bdist\/(src\/[\w/-]+)\.js['"]/g)])
    .map(([, name = '']) => `${name}.ts`);
  return new Set([...joined, ...imported, ...started].filter((file) => file.endsWith('.ts')));
}

/** The files that import each file of ours. */
function importersOfEach(): ReadonlyMap<string, ReadonlySet<string>> {
  const importers = new Map<string, Set<string>>();
  for (const folder of ['src', 'nodes']) {
    for (const [file, targets] of importGraph(folder)) {
      for (const target of targets) importers.set(target, (importers.get(target) ?? new Set()).add(file));
    }
  }
  return importers;
}

/** The files of ours that each file of a folder imports, by their paths, type imports included. */
function importGraph(folder: string): Map<string, string[]> {
  const graph = new Map<string, string[]>();
  for (const { file, from } of importsIn(folder)) {
    if (!from.startsWith('.')) continue;
    const bare = path.relative(root, path.resolve(root, path.dirname(file), from));
    const target = [`${bare.replace(/\.js$/, '')}.ts`, path.join(bare, 'index.ts')].find((name) =>
      existsSync(path.join(root, name)),
    );
    if (target !== undefined) graph.set(file, [...(graph.get(file) ?? []), target]);
  }
  return graph;
}

/** The files that are led to from a file. */
function reachedFrom(file: string, graph: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [...(graph.get(file) ?? [])];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    waiting.push(...(graph.get(next) ?? []));
  }
  return reached;
}

/** The files that lead back to themselves. */
function circling(graph: ReadonlyMap<string, readonly string[]>): string[] {
  return [...graph.keys()].filter((file) => reachedFrom(file, graph).has(file)).sort();
}

describe('the architecture', () => {
  for (const folder of Object.keys(rules)) {
    it(`lets ${folder} import only what it may`, () => {
      const imports = importsIn(folder);
      assert.ok(imports.length > 0, `${folder} has no imports to check`);
      assert.deepEqual(imports.map(breach).filter(Boolean), []);
    });
  }

  it('lets no file import what imports it, types included', () => {
    const graph = importGraph('src');
    assert.ok(graph.size > 100, 'there are no imports to follow');
    assert.deepEqual(circling(graph), []);
  });

  for (const [folder, rooms] of [
    ['src/runtime', runtimeRooms],
    ['src/editor/browser', browserRooms],
  ] as const) {
    it(`lets each room of ${folder} import only rooms below it, types included`, () => {
      const found = new Set(filesIn(folder).map((file) => roomOf(file, folder)));
      assert.deepEqual([...found].sort(), rooms.toSorted());
      assert.deepEqual(upwardImports(folder, rooms), []);
    });
  }

  it('gives the name of an exported type one meaning in the runtime and the kernel', () => {
    const places = new Map<string, string[]>();
    for (const file of ['src/kernel', 'src/runtime'].flatMap(filesIn)) {
      const text = readFileSync(path.join(root, file), 'utf8');
      for (const [, name = ''] of text.matchAll(/^export (?:abstract )?(?:class|interface|type) (\w+)/gm))
        places.set(name, [...(places.get(name) ?? []), file]);
    }
    assert.ok(places.size > 200, 'there are no types to compare');
    assert.deepEqual(
      [...places].filter(([, files]) => files.length > 1),
      [],
    );
  });

  it('sees a circle of imports, also one that is not entered at its beginning', () => {
    const graph = new Map([
      ['a', ['b', 'd']],
      ['b', ['c']],
      ['c', ['e', 'b']],
      ['d', ['e']],
    ]);
    assert.deepEqual(circling(graph), ['b', 'c']);
    assert.deepEqual(circling(new Map([['a', ['a']]])), ['a']);
  });

  it('lets each node know one catalogue file', () => {
    const known = importsIn('nodes').filter(({ from }) => from.includes('/catalogue/'));
    assert.ok(known.length > 0);
    const catalogueOf = new Map(known.map(({ file, from }) => [file, from]));
    assert.deepEqual(
      known.filter(({ file, from }) => catalogueOf.get(file) !== from),
      [],
    );
  });

  it('keeps tests of the contract away from the source', () => {
    const typedByHand = importsIn('test/contract').filter(({ file }) => !file.endsWith('.test.ts'));
    assert.ok(typedByHand.length > 0);
    assert.deepEqual(
      typedByHand.filter(({ from }) => !/^(?:\.\/|node:|\.\.\/fixtures\/signing$)/.test(from)),
      [],
    );
  });

  it('has no small file that serves one other file only, but where a reason is given', () => {
    const [importers, entries] = [importersOfEach(), entryFiles()];
    const files = filesIn('src').filter((file) => !entries.has(file));
    assert.ok(files.length > 300, `only ${files.length} files`);
    const isSmall = (file: string) => readFileSync(path.join(root, file), 'utf8').split('\n').length <= 40;
    assert.deepEqual(
      files.filter((file) => isSmall(file) && (importers.get(file)?.size ?? 0) <= 1).sort(),
      Object.keys(smallFiles).sort(),
    );
  });

  it('has no file that nothing imports and nothing begins with', () => {
    const [importers, entries] = [importersOfEach(), entryFiles()];
    assert.deepEqual(
      [...entries].filter((file) => !existsSync(path.join(root, file))),
      [],
    );
    assert.deepEqual(
      filesIn('src').filter((file) => !importers.has(file) && !entries.has(file)),
      [],
    );
  });

  it('has no drawer for odds and ends', () => {
    const files = ['src', 'nodes'].flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }),
    );
    assert.deepEqual(
      files.filter((file) => /(?:^|\/)(?:utils?|helpers?|common)(?:\.|\/|$)/.test(file)),
      [],
    );
  });

  it('starts and stops the Node-RED of a test by its fixture, so that no engine acts in a later test', () => {
    const callers = filesIn('test').filter((file) =>
      /\bhelper\.(?:un)?load\(/.test(readFileSync(path.join(root, file), 'utf8')),
    );
    assert.deepEqual(callers, ['test/fixtures/flow.ts']);
  });

  it('names every fixture on the page of the fixtures, and no other', () => {
    const folder = path.join(root, 'test', 'fixtures');
    const page = readFileSync(path.join(folder, 'README.md'), 'utf8');
    const named = [...page.matchAll(/^\| `([^`]+)` /gm)].map(([, file]) => file);
    assert.deepEqual(
      named.toSorted(),
      readdirSync(folder)
        .filter((file) => file.endsWith('.ts'))
        .sort(),
    );
  });
});
