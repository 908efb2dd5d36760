import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = path.join(root, 'dist');

/** Tests that take minutes of a processor, or need an install of their own: for `--all`, and for `.ci/run`. */
const thorough = [
  ...['contributing/', 'expressions.', 'bench/', 'package/installed.', 'package/start.'],
  ...['alert/kill', 'alert/doubted.', 'delivery/end-after-restart.', 'delivery/handed-over-killed.'],
  ...['delivery/half-deployed.', 'delivery/burst', 'runtime/auto-stop/ends-killed.', 'nodes/replaced-flood.'],
  ...['virtual-device/command-line/', 'counted/start.', 'bells/random-histories.', 'client/order-real.'],
];

/** Tests that say nothing of a Node or a Node-RED: what is written and packed for people, and what reads the sources. */
export const ofSources = [
  ...['architecture.', 'contributing/', 'documents/', 'editor/', 'bench/', 'soak/', 'expressions.'],
  ...['package/contents.', 'long-texts.'],
];

/**
 * Dear tests of what no Node-RED and no Node has a part in: histories of engines beside models, an amount of messages,
 * kills at each step of a journal. What is cheap of that sort runs on a second Node too, where the code may need
 * something that an older Node has not.
 */
const ofEngines = [
  ...['alert/kill-moments.', 'alert/doubted.', 'alert/histories.', 'bells/calendar-cost.', 'bells/preview.'],
  ...['client/order-', 'delivery/handed-over-killed.', 'delivery/histories/', 'delivery/end-unknown-device.'],
  ...['runtime/auto-stop/ends-', 'runtime/watch/day.', 'runtime/journal/stuck.', 'nodes/replaced-flood.'],
  ...['sites/histories.', 'sites/asked-histories.', 'sites/attacked.', 'counted/', 'package/licenses.'],
  ...['bells/random-histories.', 'bells/lost-answers.', 'catalogue/validator.', 'virtual-device/fuzz.'],
  ...['delivery/burst'],
];

/** The tests of a browser and of a broker have runs of their own. */
const apart = ['browser/', 'broker/'];

/** Tests that start a Node-RED with all nodes of the package, which they do not import. */
const loadNodes = ['package', 'red-process', 'installed-node-red', 'node-red'].map(
  (name) => `fixtures/${name}`,
);
/** Tests that read files which are not compiled: pages, words, documents, examples. */
const ofTexts = ['editor/', 'package/', 'documents/', 'catalogue/', 'nodes/examples.', 'browser/'];

/**
 * The built tests to run, by their paths below `dist/test`.
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

/** The tests that import a file which differs from `main`, committed or not, at any distance. */
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

/** Whether a built file leads to one of these. Remembers what each file imports. */
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
