import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = path.join(root, 'dist');

/**
 * Tests that take minutes of processor time or need their own install; they run with `--all` and in
 * `.ci/run`.
 */
const thorough = [
  ...['contributing/', 'expressions.', 'bench/', 'package/installed.', 'package/start.'],
  ...['alert/kill', 'alert/doubted.', 'delivery/end-after-restart.', 'delivery/handed-over-killed.'],
  ...['delivery/half-deployed.', 'delivery/burst', 'runtime/auto-stop/ends-killed.', 'nodes/replaced-flood.'],
  ...['virtual-device/command-line/', 'counted/start.', 'bells/random-histories.', 'client/order-real.'],
  ...['announce/kill', 'announce/restarted.'],
];

/** Tests that do not depend on Node or Node-RED: they read sources, generated files and packed files. */
export const ofSources = [
  ...['architecture.', 'contributing/', 'documents/', 'editor/', 'bench/', 'soak/', 'expressions.'],
  ...['package/contents.', 'long-texts.'],
];

/**
 * Expensive tests that do not depend on Node or Node-RED: histories of engines compared with models, large
 * numbers of messages, kills at each step of a journal. Cheap tests of this kind also run on a second Node,
 * since an older Node can lack a function.
 */
const ofEngines = [
  ...['alert/kill-moments.', 'alert/doubted.', 'alert/histories.', 'bells/calendar-cost.', 'bells/preview.'],
  ...['client/order-', 'delivery/handed-over-killed.', 'delivery/histories/', 'delivery/end-unknown-device.'],
  ...['runtime/auto-stop/ends-', 'runtime/watch/day.', 'runtime/journal/stuck.', 'nodes/replaced-flood.'],
  ...['sites/histories.', 'sites/asked-histories.', 'sites/attacked.', 'counted/', 'package/licenses.'],
  ...['bells/random-histories.', 'bells/lost-answers.', 'catalogue/validator.', 'virtual-device/fuzz.'],
  ...['delivery/burst', 'catalogue/prose.', 'catalogue/bounds.', 'runtime/journal/torn.', 'sites/flood.'],
  ...['supervision/histories.', 'supervision/day.', 'alert/report-engine.', 'announce/histories.'],
  ...['announce/kill-moments.', 'delivery/end-after-restart.', 'alert/report-killed.', 'wording/'],
  ...['sites/request-histories.', 'alert/drill-of-many.', 'virtual-device/schedule/limits.'],
  ...['bells/histories.', 'bells/large-answers.'],
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
 * @param {{ only?: string, words: string[], isChanged: boolean, isAll: boolean, isSecond: boolean }} choice
 */
export function chooseTests({ only, words, isChanged, isAll, isSecond }) {
  const left = [
    ...(only ? [] : apart),
    ...(isSecond && words.length === 0 ? [...ofSources, ...ofEngines] : []),
    ...(isAll || only || words.length > 0 ? [] : thorough),
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

/**
 * Returns the tests that import, directly or indirectly, a file which differs from `main`, committed or not.
 */
function changedTests() {
  const files = changedFiles();
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

function changedFiles() {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n');
  const base = git('merge-base', 'main', 'HEAD')[0];
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
