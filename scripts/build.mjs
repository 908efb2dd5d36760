import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { transpile } from './transpile.mjs';

const require = createRequire(import.meta.url);
const root = new URL('..', import.meta.url);
/** Enough to run the package: without the declarations of its `main`, which only programs and tests read. */
const isToRun = process.argv.includes('--to-run');

// A script that an older build wrote must not get into the package.
for (const output of ['dist', 'resources']) rmSync(new URL(output, root), { recursive: true, force: true });
await step('compile', transpile);
await step('render the pages of the editor', () => require('../dist/src/editor/render.js').renderNodes());
if (!isToRun) {
  await step('write the declarations', async () => {
    const { writeDeclarations } = await import('./declarations.mjs');
    writeDeclarations();
  });
}

/** Says each step with the seconds it took: a build on a slow machine must not look like one that hangs. */
async function step(name, work) {
  process.stderr.write(`  ${name} ...`);
  const began = performance.now();
  await work();
  process.stderr.write(` ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
}
