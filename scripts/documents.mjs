import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { run } from './node-runtime.mjs';

const require = createRequire(import.meta.url);
const root = new URL('..', import.meta.url);

const code = await run(process.execPath, [require.resolve('typescript/bin/tsc')], { cwd: root });
if (code !== 0) process.exit(code);
const { openApiFile } = require('../dist/src/documents/openapi.js');
const { withOperationsTable } = require('../dist/src/documents/operations-table.js');
const { version } = require('../package.json');

await writeFile(new URL('openapi.json', root), openApiFile(version));
const readme = new URL('README.md', root);
await writeFile(readme, withOperationsTable(await readFile(readme, 'utf8')));
