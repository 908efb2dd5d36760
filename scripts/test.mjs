import { createRequire } from 'node:module';
import { chooseRuntime, run } from './node-runtime.mjs';

const require = createRequire(import.meta.url);
const root = new URL('..', import.meta.url);
const browser = process.argv.includes('--browser');
const broker = process.argv.includes('--broker');
const rest = process.argv.slice(2).filter((argument) => !['--browser', '--broker'].includes(argument));

const built = await run(process.execPath, ['scripts/build.mjs'], { cwd: root });
if (built !== 0) process.exit(built);

const { node, nodeRed } = chooseRuntime();
const elsewhere = ['dist/test/browser/**', 'dist/test/broker/**'];
const wanted = browser
  ? ['dist/test/browser/**/*.test.js']
  : broker
    ? ['dist/test/broker/**/*.test.js']
    : ['dist/test/**/*.test.js', ...elsewhere.flatMap((files) => ['--ignore', files])];
if (!browser && !broker) {
  console.log(
    'Without the tests in a browser (npm run test:browser) and those over a broker (npm run test:broker).',
  );
}
process.exit(
  await run(node, [require.resolve('mocha/bin/mocha.js'), ...wanted, ...rest], {
    cwd: root,
    env: { ...process.env, ALGO_NODE_RED: nodeRed },
  }),
);
