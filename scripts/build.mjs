import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { transpile } from './transpile.mjs';

const require = createRequire(import.meta.url);
const root = new URL('..', import.meta.url);
/** The package can run without the declarations of its `main`, which only programs and tests read. */
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

/** Runs a step and prints its name and duration, so that a slow build does not look stuck. */
async function step(name, work) {
  process.stderr.write(`  ${name} ...`);
  const began = performance.now();
  await work();
  process.stderr.write(` ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
}
