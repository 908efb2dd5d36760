import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = path.join(root, 'dist');

const engines = [
  'src/kernel/',
  'src/runtime/alert/',
  'src/runtime/journal/',
  'src/runtime/message/',
  'src/client/',
];
const state = [...engines, 'src/runtime/auto-stop/', 'src/runtime/device/', 'src/runtime/start.ts'];
const ofAlerts = [...state, 'src/runtime/watch/', 'src/catalogue/alert-actions.ts', 'nodes/alert'];
const announced = [...state, 'src/runtime/announce/', 'nodes/announce'];
const bells = ['src/bells/', 'src/runtime/bells/', 'src/catalogue/scheduler'];
const virtual = ['src/virtual-device/', 'nodes/virtual'];
const sites = [...state, 'src/sites/', 'src/runtime/sites/', 'nodes/site', 'nodes/remote'];
const build = ['package.json', 'scripts/build.mjs', 'scripts/transpile.mjs', 'scripts/node-runtime.mjs'];
const interfaces = ['src/catalogue/', 'src/documents/', 'docs/', 'package.json'];

/** All that an editor gets: its scripts and what they import, pages, texts and icons. */
export const editor = [
  ...['src/editor/', 'src/catalogue/', 'src/bells/', 'src/runtime/answers', 'src/json.ts', 'src/kernel/'],
  ...['src/virtual-device/panel/page/', 'nodes/', 'locales/', 'icons/'],
];

/**
 * Tests that take seconds of the processor, each with the paths that it is about. They run if one of these has changed
 * since everything passed last (`.ci/everything-passed`), or a file of `test` that they import; with `--everything`; and
 * if their names are given.
 */
export const rare = {
  'alert/doubted.': ofAlerts,
  'alert/kill-moments.': ofAlerts,
  'alert/killed.': ofAlerts,
  'alert/report-engine.': ofAlerts,
  'alert/report-killed.': ofAlerts,
  'announce/kill-moments.': announced,
  'announce/killed.': announced,
  'announce/restarted.': announced,
  'bells/preview.': bells,
  'bells/random-histories.': bells,
  'bench/run.': ['bench/', ...build],
  'client/limits.': ['src/client/', 'src/kernel/time/'],
  'client/one-connection.': ['src/client/'],
  'client/odd-answers.': ['src/client/', 'src/catalogue/'],
  'client/order-real.': ['src/client/'],
  'contributing/contributing.': [
    ...['src/catalogue/door.ts', 'src/documents/', 'src/virtual-device/routes/doors.ts'],
    ...['test/contract/coverage.test.ts', 'test/package/nodes.test.ts', ...build],
  ],
  'contributing/dev.': ['scripts/dev.mjs', 'scripts/demo/', ...build],
  'counted/messages.': ['src/client/', 'src/runtime/message/', 'src/runtime/device/'],
  'counted/start.': ['src/', 'nodes/', 'bench/processes/'],
  'counted/way-of-a-message.': ['src/', 'nodes/', 'bench/processes/'],
  'delivery/burst': state,
  'delivery/end-after-restart.': state,
  'delivery/flows-stopped.': state,
  'delivery/half-deployed.': state,
  'delivery/hung-starts.': ['src/client/', 'src/runtime/message/', 'src/runtime/alert/'],
  'delivery/one-connection.': ['src/client/', 'src/runtime/message/', 'src/runtime/watch/'],
  'delivery/handed-over-killed.': state,
  'delivery/tone-of-old-firmware.': state,
  'documents/generated-client.': interfaces,
  'documents/linters.': interfaces,
  'editor/translate-status.': [...editor, 'src/runtime/'],
  'expressions/attack.': ['test/expressions/'],
  'nodes/replaced-flood.': state,
  'package/installed.': ['src/library/', ...build],
  'package/licenses.': ['package.json', 'src/editor/licenses/'],
  'package/start.': ['scripts/', ...virtual],
  'runtime/auto-stop/ends-killed.': state,
  'runtime/watch/day.': ['src/client/', 'src/runtime/watch/', 'src/runtime/message/'],
  'secrets/secrets.': ['src/client/', 'src/runtime/', 'src/sites/', 'src/virtual-device/', 'nodes/'],
  'supervision/day.': [...state, 'src/runtime/supervision/', 'src/runtime/watch/'],
  'virtual-device/command-line/': virtual,
  'virtual-device/fuzz.': virtual,
  'virtual-device/wire/large-bodies.': virtual,

  'broker/claimants.': sites,
  'broker/faults.': sites,
  'broker/link-away.': sites,
  'broker/page.': [...sites, 'examples/'],

  'browser/alert': editor,
  'browser/bells': [...editor, ...bells, 'src/runtime/admin/'],
  'browser/dialogs.': editor,
  'browser/every-': editor,
  'browser/examples-look.': ['examples/', ...editor],
  'browser/examples-shared.': ['examples/', ...editor],
  'browser/fields': editor,
  'browser/language-leftovers.': [...editor, 'src/runtime/overview/'],
  'browser/language-values.': editor,
  'browser/narrow.': editor,
  'browser/newcomer.': [...editor, ...virtual, ...build, 'examples/1 ', 'src/library/'],
  'browser/operator.': [...ofAlerts, "examples/4 Alerts/Operator's page"],
  'browser/palette.': editor,
  'browser/panel': [...virtual, ...editor, 'src/runtime/admin/'],
  'browser/support.': [...editor, 'src/runtime/admin/'],
  'browser/untried.': [...editor, 'src/runtime/admin/'],
  'browser/variants.': editor,
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
  ...['announce/killed.', 'announce/restarted.', 'bells/calendar', 'bells/days.', 'bells/hidden-days.'],
  'bells/two-nodes.',
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
  ...['runtime/auto-stop/ends', 'kernel/journal/stuck.', 'kernel/journal/torn.', 'runtime/watch/'],
  ...['sites/attacked.', 'sites/flood.', 'sites/histories.', 'sites/request-histories.'],
  ...['supervision/checks.', 'supervision/day.', 'supervision/histories.', 'supervision/node.'],
  ...['virtual-device/calls/hostile.', 'virtual-device/command-line/', 'virtual-device/fuzz.'],
  ...['virtual-device/log/', 'virtual-device/wire/large-bodies.'],
  ...['webhook/examples.', 'webhook/histories.', 'webhook/hostile.', 'webhook/limits.', 'webhook/paths.'],
  ...['webhook/reception.', 'webhook/routes.'],
];

/** In a browser, a first journey and each dialog show what another Node-RED changes. */
export const onSecondInBrowser = ['browser/every-dialog.', 'browser/journeys.'];

/** The tests in a browser and over a broker, which run separately. */
const apart = ['browser/', 'broker/'];

/** Fixtures that start a Node-RED with all nodes of the package without importing them. */
const loadNodes = ['package', 'red-process', 'installed-node-red', 'node-red'];
/** Fixtures that `red-process` loads before Node-RED, by their paths. */
const beforeNodeRed = ['wait-for-disk', 'kill-at-step', 'kill-when-told', 'hang-disk', 'clock-hour-ahead'];
/** Tests that read files which are not compiled: pages, locales, documents, examples. */
const ofTexts = ['editor/', 'package/', 'documents/', 'catalogue/', 'nodes/examples.', 'browser/'];

/**
 * Returns the built tests to run, by their paths in `dist/test`.
 * @param {{
 *   only?: string, words: string[], isChanged: boolean, isAll: boolean, isEverything: boolean, isSecond: boolean,
 * }} choice
 */
export function chooseTests({ only, words, isChanged, isAll, isEverything, isSecond }) {
  const isWhole = isEverything || words.length > 0;
  const isFew = isSecond && isAll && !isWhole;
  const left = [
    ...(only ? [] : apart),
    ...(isFew && !only ? sameOnSecond : []),
    ...(isWhole ? [] : isAll || only ? unchangedRare() : Object.keys(rare)),
  ];
  const changed = isChanged ? changedTests() : undefined;
  return builtTests()
    .filter((file) => !only || file.startsWith(`${only}/`))
    .filter((file) => only !== 'browser' || !isFew || onSecondInBrowser.some((one) => file.startsWith(one)))
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
 * The rare tests whose subject is as it was when everything passed last; none if the dependencies are other ones, or
 * where that commit is unknown.
 */
function unchangedRare() {
  const commit = readFileSync(path.join(root, '.ci/everything-passed'), 'utf8').trim();
  let changed;
  try {
    changed = changedFiles(commit);
  } catch {
    return [];
  }
  if (changed.includes('package-lock.json')) return [];
  const helpers = compiledOf(changed.filter((file) => file.startsWith('test/')));
  const graph = new Map();
  const isAsItWas = (name) =>
    !changed.some((file) => rare[name].some((one) => file.startsWith(one))) &&
    !builtTests().some(
      (file) => file.startsWith(name) && reaches(path.join(dist, 'test', file), helpers, graph),
    );
  return Object.keys(rare).filter(isAsItWas);
}

/**
 * Returns the tests that import, directly or indirectly, a file which differs from `main`, committed or not.
 */
function changedTests() {
  const files = changedFiles(git('merge-base', 'main', 'HEAD')[0]);
  const compiled = compiledOf(files);
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

function compiledOf(files) {
  const sources = files.filter((file) => file.endsWith('.ts'));
  return new Set(sources.map((file) => path.join(dist, file.replace(/\.ts$/, '.js'))));
}

/** The files that differ from those of a commit, committed or not. Throws if there is no such commit. */
function changedFiles(base) {
  const all = [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
  return all.filter(Boolean);
}

/** Whether a built file imports one of the wanted files. Caches the imports of each file. */
function reaches(from, wanted, graph) {
  for (const file of importedBy([from], graph)) if (wanted.has(file)) return true;
  return false;
}

/** Some built files and all that they import, directly or indirectly. */
export function* importedBy(files, graph = new Map()) {
  const seen = new Set(files);
  for (const file of seen) {
    yield file;
    for (const next of importsOf(file, graph)) seen.add(next);
  }
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
    const isLoader = loadNodes.some((name) => file === fixture(name));
    if (isLoader) found.push(...nodeFiles());
    if (file === fixture('red-process')) found.push(...beforeNodeRed.map(fixture));
    graph.set(file, found);
  }
  return graph.get(file);
}

function fixture(name) {
  return path.join(dist, 'test/fixtures', `${name}.js`);
}

function nodeFiles() {
  const nodes = path.join(dist, 'nodes');
  return readdirSync(nodes)
    .filter((file) => file.endsWith('.js'))
    .map((file) => path.join(nodes, file));
}
