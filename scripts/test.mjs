import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { chooseRuntime, run } from './node-runtime.mjs';

const require = createRequire(import.meta.url);
const root = new URL('..', import.meta.url);
const browser = process.argv.includes('--browser');
const broker = process.argv.includes('--broker');
const rest = process.argv.slice(2).filter((argument) => !['--browser', '--broker'].includes(argument));

const built = await run(process.execPath, ['scripts/build.mjs'], { cwd: root });
if (built !== 0) process.exit(built);

const { node, nodeRed } = chooseRuntime();
// Most tests wait for something, so that one more than there are processors keeps all of them busy. A browser
// keeps one busy by itself; and there is one broker.
const jobs = availableParallelism() + (browser ? 0 : 1);
const inParallel = broker ? [] : ['--parallel', '--jobs', String(jobs)];
const [only] = browser ? ['browser'] : broker ? ['broker'] : [];
const elsewhere = ['browser', 'broker'].flatMap((folder) => ['--ignore', `dist/test/${folder}/**`]);
// What it takes to add something says nothing of a Node-RED, and takes minutes.
const once = nodeRed === 'node-red' ? [] : ['--ignore', 'dist/test/contributing/**'];
const wanted = only ? [`dist/test/${only}/**/*.test.js`] : ['dist/test/**/*.test.js', ...elsewhere, ...once];
if (!only)
  console.log('Left out: npm run test:browser, and npm run test:broker (many sites, a real Mosquitto).');
process.exit(
  await run(node, [require.resolve('mocha/bin/mocha.js'), ...wanted, ...inParallel, ...rest], {
    cwd: root,
    env: { ...process.env, ALGO_NODE_RED: nodeRed },
  }),
);
