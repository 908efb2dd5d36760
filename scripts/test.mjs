import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { chooseRuntime, run } from './node-runtime.mjs';

const require = createRequire(import.meta.url);
const root = new URL('..', import.meta.url);
const own = ['--browser', '--broker', '--built'];
const [browser, broker, isBuilt] = own.map((name) => process.argv.includes(name));
const given = process.argv.slice(2).filter((argument) => !own.includes(argument));
/** `npm test -- door lock` runs the tests whose path has one of these words; options go to mocha, as `--grep=text`. */
const words = given.filter((argument) => !argument.startsWith('-'));
const rest = given.filter((argument) => argument.startsWith('-'));

if (!isBuilt) {
  const built = await run(process.execPath, ['scripts/build.mjs'], { cwd: root });
  if (built !== 0) process.exit(built);
}

const { node, nodeRed } = chooseRuntime();
// Most tests wait for something, so that one more than there are processors keeps all of them busy. One of those over
// a broker is several processes by itself.
const jobs = Number(process.env.ALGO_JOBS ?? availableParallelism() + (broker ? 0 : 1));
const inParallel = ['--parallel', '--jobs', String(jobs)];
/** What takes longest comes first, so that no worker is busy long after the others. */
const longest = [
  ...['browser/every-dialog.test.js', 'browser/axe.test.js', 'browser/every-dialog-sourced.test.js'],
  ...['browser/panel.test.js', 'browser/newcomer.test.js', 'browser/every-dialog-others.test.js'],
  ...['browser/bells.test.js', 'browser/sidebar.test.js', 'browser/fields.test.js'],
  ...['broker/claimants.test.js', 'broker/faults.test.js', 'broker/page.test.js', 'broker/flood.test.js'],
];
const rankOf = (file) => (longest.includes(file) ? longest.indexOf(file) : longest.length);

const only = browser ? 'browser' : broker ? 'broker' : undefined;
const isSecond = nodeRed !== 'node-red';
// What it takes to add something, what is written and packed for people, and what reads the sources, say nothing of
// a Node or a Node-RED, and take minutes.
const ofSources = ['contributing/', 'documents/', 'bench/', 'soak/', 'expressions.', 'package/contents.'];
const apart = ['browser/', 'broker/', ...(isSecond ? ofSources : [])];
/** Engines that know no Node-RED have played their thousands of histories once: on another Node hundreds will do. */
const fewer = isSecond ? { ALGO_HISTORIES: '1000', ALGO_SCHEDULES: '100' } : {};
const wanted = readdirSync(new URL('dist/test', root), { recursive: true, encoding: 'utf8' })
  .map((file) => file.split(path.sep).join('/'))
  .filter((file) => file.endsWith('.test.js'))
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .filter((file) => (only ? file.startsWith(`${only}/`) : !apart.some((one) => file.startsWith(one))))
  .sort()
  .sort((a, b) => rankOf(a) - rankOf(b))
  .map((file) => `dist/test/${file}`);
if (wanted.length === 0) {
  console.error(`No test has ${words.join(' or ')} in its path`);
  process.exit(1);
}
if (!only) {
  console.log('Left out: npm run test:browser, and npm run test:broker (many sites, a real Mosquitto).');
  if (isSecond) console.log(`Left to Node-RED 5: ${ofSources.join(' ')}, and most of the random histories.`);
}
process.exit(
  await run(node, [require.resolve('mocha/bin/mocha.js'), ...wanted, ...inParallel, ...rest], {
    cwd: root,
    env: { ...fewer, ...process.env, ALGO_NODE_RED: nodeRed },
  }),
);
