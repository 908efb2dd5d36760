import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chooseTests } from './choose-tests.mjs';
import { chooseRuntime, run } from './node-runtime.mjs';

const require = createRequire(import.meta.url);
const root = new URL('..', import.meta.url);
const own = [
  ...['--browser', '--broker', '--built', '--all', '--everything', '--many', '--changed', '--slowest'],
  '--shuffled',
];
const [browser, broker, isBuilt, isAllGiven, isEverything, isMany, isChanged, isSlowest, isShuffled] =
  own.map((name) => process.argv.includes(name));
const isAll = isAllGiven || isEverything;
const given = process.argv.slice(2).filter((argument) => !own.includes(argument));
/**
 * `npm test -- door lock` runs the tests whose path contains one of these words; options such as
 * `--grep=text` go to mocha.
 */
const words = given.filter((argument) => !argument.startsWith('-'));
const rest = given.filter((argument) => argument.startsWith('-'));

if (!isBuilt) {
  const built = await run(process.execPath, ['scripts/build.mjs'], { cwd: root });
  if (built !== 0) process.exit(built);
}

const { node, nodeRed } = chooseRuntime();
const isSecond = nodeRed !== 'node-red';
/**
 * The longest tests start first, so that no worker is busy long after the others. Before them, a test that counts
 * what messages take: an earlier test of its worker can leave listeners in the process.
 */
const longest = [
  'counted/messages',
  ...['contributing/contributing', 'delivery/end-after-restart', 'alert/kill-moments', 'expressions'],
  ...['delivery/handed-over-killed', 'delivery/end-after', 'alert/killed', 'delivery/half-deployed'],
  ...['delivery/retry', 'package/installed', 'nodes/replaced-flood', 'nodes/examples'],
  ...['alert/histories', 'alert/doubted', 'bells/preview', 'runtime/auto-stop/ends-histories'],
  ...['browser/every-dialog', 'browser/journeys', 'browser/panel', 'browser/operator', 'browser/groups'],
  ...['browser/device-try-people', 'browser/newcomer', 'browser/sidebar', 'browser/language-leftovers'],
  ...['broker/claimants', 'broker/page', 'broker/faults', 'broker/link-away'],
].map((name) => `${name}.test.js`);
const rankOf = (file) => (longest.includes(file) ? longest.indexOf(file) : longest.length);
/** Number of random histories. `--everything` plays more, and `--many` several times as many, to find rare mistakes. */
const few = {
  ALGO_HISTORIES: '200',
  ALGO_REAL_HISTORIES: '10',
  ALGO_SCHEDULES: '20',
  ALGO_KILLS: '3',
  ALGO_STEPS: '3',
  ALGO_BURSTS: '2',
};
const enough = {
  ALGO_HISTORIES: '1000',
  ALGO_REAL_HISTORIES: '40',
  ALGO_SCHEDULES: '100',
  ALGO_KILLS: '5',
  ALGO_STEPS: '4',
  ALGO_BURSTS: '4',
};

const only = browser ? 'browser' : broker ? 'broker' : undefined;
const chosen = chooseTests({ only, words, isChanged, isAll, isEverything, isSecond });
const wanted = isShuffled ? shuffled(chosen) : chosen.sort((a, b) => rankOf(a) - rankOf(b));
if (wanted.length === 0) {
  console.error(
    isChanged ? 'No test imports what has changed' : `No test has ${words.join(' or ')} in its path`,
  );
  process.exit(isChanged ? 0 : 1);
}
if (!only) console.log('Left out: npm run test:browser, npm run test:broker (many sites, a real Mosquitto).');
if (words.length === 0 && !isEverything) {
  const which =
    isAll || only
      ? 'whose subject is as it was when everything passed last'
      : '(--all: those whose subject has changed)';
  console.log(`Left out: rare tests ${which}. --everything runs them.`);
}

// Most tests wait most of the time, except those in a browser, so more workers than cores run.
const cores = availableParallelism();
const jobs = process.env.ALGO_JOBS ?? String(browser ? cores + 1 : 2 * cores);
/** Source maps cost a tenth of the processor time, so that the long runs do without: they name lines in dist. */
const sourceMaps = isAll ? [] : ['--enable-source-maps'];
const directory = mkdtempSync(path.join(tmpdir(), 'algo-tests-'));
const times = path.join(directory, 'times');
const code = await run(
  node,
  [
    ...[require.resolve('mocha/bin/mocha.js'), ...wanted.map((file) => `dist/test/${file}`)],
    ...['--parallel', '--jobs', jobs, '--require', 'scripts/test-times.cjs', ...sourceMaps, ...rest],
  ],
  {
    cwd: root,
    env: {
      ...(isMany ? {} : isEverything && !isSecond ? enough : few),
      ...(isEverything && !isMany && { ALGO_EVERYTHING: '1' }),
      ALGO_TIMES: times,
      // From Node 22 on, what the same modules of many processes are compiled to.
      NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/compiled', root)),
      ...process.env,
      ALGO_NODE_RED: nodeRed,
    },
  },
);
if (isSlowest) printSlowest(readFileSync(process.env.ALGO_TIMES ?? times, 'utf8'));
rmSync(directory, { recursive: true });
process.exit(code);

/** Shuffles the files by a seed that is printed and can be set. */
function shuffled(files) {
  const seed = Number(process.env.ALGO_ORDER ?? Date.now() % 1_000_000);
  console.log(`The order of the files: ALGO_ORDER=${seed}`);
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return files
    .map((file) => [next(), file])
    .sort(([a], [b]) => a - b)
    .map(([, file]) => file);
}

/** Prints the twenty slowest files with the processor time of their own and of child processes. */
function printSlowest(text) {
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const seconds = (value) => value.toFixed(1).padStart(7);
  const total = (column) => lines.reduce((sum, line) => sum + line[column], 0);
  console.log('  clock  processor  processes started');
  for (const [file, ...columns] of lines.sort((a, b) => b[1] - a[1]).slice(0, 20)) {
    console.log(`${columns.map(seconds).join('')}  ${file}`);
  }
  console.log(`${[1, 2, 3].map((column) => seconds(total(column))).join('')}  all ${lines.length} files`);
}
