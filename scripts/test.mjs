import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { chooseRuntime, run } from './node-runtime.mjs';

const require = createRequire(import.meta.url);
const root = new URL('..', import.meta.url);
const browser = process.argv.includes('--browser');
const rest = process.argv.slice(2).filter((argument) => argument !== '--browser');

const built = await run(process.execPath, ['scripts/build.mjs'], { cwd: root });
if (built !== 0) process.exit(built);

const { node, nodeRed } = chooseRuntime();
// Most tests wait for something, so that one more than there are processors keeps all of them busy.
const inParallel = ['--parallel', '--jobs', String(availableParallelism() + 1)];
const wanted = browser
  ? ['dist/test/browser/**/*.test.js']
  : ['dist/test/**/*.test.js', '--ignore', 'dist/test/browser/**', ...inParallel];
process.exit(
  await run(node, [require.resolve('mocha/bin/mocha.js'), ...wanted, ...rest], {
    cwd: root,
    env: { ...process.env, ALGO_NODE_RED: nodeRed },
  }),
);
