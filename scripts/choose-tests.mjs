import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = path.join(root, 'dist');

/** Tests that take seconds each; they run with `--all` and in `.ci/run`. */
export const thorough = [
  ...['package/start.', 'alert/killed.', 'alert/doubted.', 'delivery/end-after-restart.'],
  ...['delivery/half-deployed.', 'delivery/flows-stopped.', 'delivery/tone-of-old-firmware.'],
  ...['virtual-device/command-line/', 'counted/start.', 'client/order-real.', 'announce/restarted.'],
  ...['supervision/day.', 'runtime/watch/day.', 'alert/report-engine.', 'webhook/hostile.'],
];

const engines = ['src/runtime/alert/', 'src/runtime/journal/', 'src/runtime/message/', 'src/client/queue/'];
const state = [...engines, 'src/runtime/auto-stop/', 'src/runtime/announce/', 'src/runtime/start.ts'];
const build = ['package.json', 'scripts/build.mjs', 'scripts/transpile.mjs', 'scripts/node-runtime.mjs'];

/**
 * Tests that take longest, each with the paths that it is about. They run if one of these has changed since everything
 * passed last (`.ci/everything-passed`), with `--everything`, and if their names are given.
 */
export const rare = {
  'contributing/contributing.': [
    ...['src/catalogue/door.ts', 'src/documents/', 'src/virtual-device/routes/doors.ts'],
    ...['test/contract/coverage.test.ts', 'test/package/nodes.test.ts', 'test/contributing/', ...build],
  ],
  'contributing/dev.': ['scripts/dev.mjs', 'scripts/demo/', 'test/contributing/', ...build],
  'package/installed.': ['src/library/', 'test/package/', 'test/fixtures/installed-node-red.ts', ...build],
  'bench/run.': ['bench/', 'test/bench/', ...build],
  'counted/messages.': ['src/client/', 'src/runtime/message/', 'src/runtime/device/', 'test/counted/'],
  'nodes/replaced-flood.': [
    'src/runtime/message/',
    'src/runtime/device/',
    'test/nodes/replaced-flood.test.ts',
  ],
  'delivery/burst': ['src/runtime/message/', 'test/delivery/burst'],
  'alert/kill-moments.': [...state, 'test/alert/kill-moments.test.ts'],
  'announce/kill-moments.': [...state, 'test/announce/kill-moments.test.ts'],
  'delivery/handed-over-killed.': [
    ...state,
    'src/runtime/device/',
    'test/delivery/handed-over-killed.test.ts',
  ],
  'runtime/auto-stop/ends-killed.': [...state, 'test/runtime/auto-stop/'],
  'bells/random-histories.': ['src/bells/', 'src/runtime/bells/', 'test/bells/'],
};

/**
 * Tests that a second Node and Node-RED need not run again: of sources, of generated and of packed files; and those that
 * take a second or more, and whose subject depends on neither. All others do run, since an older Node can lack a function.
 */
export const sameOnSecond = [
  ...[
    'architecture.',
    'contributing/',
    'documents/',
    'editor/',
    'bench/',
    'soak/',
    'expressions.',
    'wording/',
  ],
  ...['package/contents.', 'package/licenses.', 'package/start.', 'long-texts.', 'counted/'],
  ...['alert/acknowledged.', 'alert/doubted.', 'alert/drill-of-many.', 'alert/histories.', 'alert/killed.'],
  ...['alert/report-', 'alert/written.', 'announce/beside-others.', 'announce/histories.', 'announce/node.'],
  ...['announce/restarted.', 'bells/calendar', 'bells/days.', 'bells/hidden-days.', 'bells/histories.'],
  ...[
    'bells/imported-days.',
    'bells/in-order.',
    'bells/large-answers.',
    'bells/lost-answers.',
    'bells/preview.',
  ],
  ...['bells/recurrence.', 'catalogue/bounds.', 'catalogue/prose.', 'catalogue/validator.', 'client/order-'],
  ...[
    'delivery/end-after',
    'delivery/end-unknown-device.',
    'delivery/group-targets.',
    'delivery/hanging-disk.',
  ],
  ...['delivery/histories/', 'delivery/name-needs-model.', 'delivery/order.', 'delivery/queue-bound.'],
  ...['delivery/retry.', 'delivery/tone-of-old-firmware.', 'delivery/ttl.', 'nodes/hostile-messages.'],
  ...['runtime/auto-stop/ends', 'runtime/journal/stuck.', 'runtime/journal/torn.', 'runtime/watch/'],
  ...['sites/attacked.', 'sites/flood.', 'sites/histories.', 'sites/request-histories.'],
  ...['supervision/checks.', 'supervision/day.', 'supervision/histories.', 'supervision/node.'],
  ...['virtual-device/calls/hostile.', 'virtual-device/command-line/', 'virtual-device/fuzz.'],
  ...['virtual-device/log/', 'virtual-device/schedule/limits.', 'virtual-device/wire/large-bodies.'],
  ...['webhook/examples.', 'webhook/histories.', 'webhook/hostile.', 'webhook/limits.', 'webhook/paths.'],
  ...['webhook/reception.', 'webhook/routes.'],
];

/** The tests in a browser and over a broker, which run separately. */
const apart = ['browser/', 'broker/'];

/** Fixtures that start a Node-RED with all nodes of the package without importing them. */
const loadNodes = ['package', 'red-process', 'installed-node-red', 'node-red'].map(
  (name) => `fixtures/${name}`,
);
/** Tests that read files which are not compiled: pages, locales, documents, examples. */
const ofTexts = ['editor/', 'package/', 'documents/', 'catalogue/', 'nodes/examples.', 'browser/'];

/**
 * Returns the built tests to run, by their paths in `dist/test`.
 * @param {{
 *   only?: string, words: string[], isChanged: boolean, isAll: boolean, isEverything: boolean, isSecond: boolean,
 * }} choice
 */
export function chooseTests({ only, words, isChanged, isAll, isEverything, isSecond }) {
  const isNamed = words.length > 0;
  const isFew = isSecond && !only && !isEverything && !isNamed;
  const left = [
    ...(only ? [] : apart),
    ...(isFew ? sameOnSecond : []),
    ...(isAll || only || isNamed ? [] : thorough),
    ...(isEverything || only || isNamed ? [] : isAll && !isSecond ? unchangedRare() : Object.keys(rare)),
  ];
  const changed = isChanged ? changedTests() : undefined;
  return builtTests()
    .filter((file) => !only || file.startsWith(`${only}/`))
    .filter((file) => !left.some((one) => file.startsWith(one)))
    .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
    .filter((file) => !changed || changed.has(file))
    .sort();
}

function builtTests() {
  return readdirSync(path.join(dist, 'test'), { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => file.endsWith('.test.js'));
}

/** The rare tests whose subject is as it was when everything passed last; none where that commit is unknown. */
function unchangedRare() {
  const commit = readFileSync(path.join(root, '.ci/everything-passed'), 'utf8').trim();
  let changed;
  try {
    changed = changedFiles(commit);
  } catch {
    return [];
  }
  return Object.entries(rare)
    .filter(([, paths]) => !changed.some((file) => paths.some((one) => file.startsWith(one))))
    .map(([name]) => name);
}

/**
 * Returns the tests that import, directly or indirectly, a file which differs from `main`, committed or not.
 */
function changedTests() {
  const files = changedFiles(git('merge-base', 'main', 'HEAD')[0]);
  const compiled = new Set(
    files.filter((file) => file.endsWith('.ts')).map((file) => path.join(dist, file.replace(/\.ts$/, '.js'))),
  );
  const isOfTexts = files.some((file) => !file.endsWith('.ts'));
  const graph = new Map();
  const tests = builtTests().filter(
    (test) =>
      reaches(path.join(dist, 'test', test), compiled, graph) ||
      (isOfTexts && ofTexts.some((one) => test.startsWith(one))),
  );
  return new Set(tests);
}

function git(...args) {
  const quiet = { stdio: ['ignore', 'pipe', 'ignore'] };
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', ...quiet }).split('\n');
}

/** The files that differ from those of a commit, committed or not. Throws if there is no such commit. */
function changedFiles(base) {
  const all = [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
  return all.filter(Boolean);
}

/** Whether a built file imports one of the wanted files. Caches the imports of each file. */
function reaches(from, wanted, graph) {
  const seen = new Set([from]);
  for (const file of seen) {
    if (wanted.has(file)) return true;
    for (const next of importsOf(file, graph)) seen.add(next);
  }
  return false;
}

function importsOf(file, graph) {
  if (!graph.has(file)) {
    const text = readFileSync(file, 'utf8');
    const names = [...text.matchAll(/(?:require|import)\("(\.[^"]+)"\)/g)].map(([, name]) => name);
    const found = names.flatMap((name) => {
      const bare = path.resolve(path.dirname(file), name);
      return [bare, `${bare}.js`, path.join(bare, 'index.js')].filter(
        (one) => /\.js$/.test(one) && existsSync(one),
      );
    });
    const isLoader = loadNodes.some((name) => file === path.join(dist, 'test', `${name}.js`));
    graph.set(file, isLoader ? [...found, ...nodeFiles()] : found);
  }
  return graph.get(file);
}

function nodeFiles() {
  const nodes = path.join(dist, 'nodes');
  return readdirSync(nodes)
    .filter((file) => file.endsWith('.js'))
    .map((file) => path.join(nodes, file));
}
