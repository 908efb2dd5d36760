import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { chooseRuntime, run } from './node-runtime.mjs';

const require = createRequire(import.meta.url);
const root = new URL('..', import.meta.url);
const own = ['--browser', '--broker', '--built'];
const [browser, broker, isBuilt] = own.map((name) => process.argv.includes(name));
/** `--files=journeys,axe` runs those alone. */
const files = process.argv.find((argument) => argument.startsWith('--files='))?.slice('--files='.length);
const named = files?.split(',').map((name) => `/${name}.test.js`);
const rest = process.argv
  .slice(2)
  .filter((argument) => !own.includes(argument) && !argument.startsWith('--files='));

if (!isBuilt) {
  const built = await run(process.execPath, ['scripts/build.mjs'], { cwd: root });
  if (built !== 0) process.exit(built);
}

const { node, nodeRed } = chooseRuntime();
// Most tests wait for something, so that one more than there are processors keeps all of them busy; and there is
// one broker.
const inParallel = broker ? [] : ['--parallel', '--jobs', String(availableParallelism() + 1)];
/** What takes longest comes first, so that no worker is busy long after the others. */
const longest = [
  ...['browser/every-dialog.test.js', 'browser/axe.test.js', 'browser/every-dialog-sourced.test.js'],
  ...['browser/panel.test.js', 'browser/newcomer.test.js', 'browser/every-dialog-others.test.js'],
  ...['browser/bells.test.js', 'browser/sidebar.test.js', 'browser/fields.test.js'],
];
const rankOf = (file) => (longest.includes(file) ? longest.indexOf(file) : longest.length);

const only = browser ? 'browser' : broker ? 'broker' : undefined;
// What it takes to add something says nothing of a Node-RED, and takes minutes.
const apart = ['browser', 'broker', ...(nodeRed === 'node-red' ? [] : ['contributing'])];
const wanted = readdirSync(new URL('dist/test', root), { recursive: true, encoding: 'utf8' })
  .map((file) => file.split(path.sep).join('/'))
  .filter((file) => file.endsWith('.test.js'))
  .filter((file) => !named || named.some((name) => file.endsWith(name)))
  .filter((file) => (only ? file.startsWith(`${only}/`) : !apart.some((one) => file.startsWith(`${one}/`))))
  .sort()
  .sort((a, b) => rankOf(a) - rankOf(b))
  .map((file) => `dist/test/${file}`);
if (wanted.length < (named?.length ?? 1)) {
  console.error(`There are no tests for ${files}`);
  process.exit(1);
}
if (!only)
  console.log('Left out: npm run test:browser, and npm run test:broker (many sites, a real Mosquitto).');
process.exit(
  await run(node, [require.resolve('mocha/bin/mocha.js'), ...wanted, ...inParallel, ...rest], {
    cwd: root,
    env: { ...process.env, ALGO_NODE_RED: nodeRed },
  }),
);
