import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './node-runtime.mjs';

const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL('..', import.meta.url));

const code = await run(process.execPath, [require.resolve('typescript/bin/tsc')], { cwd: root });
if (code !== 0) process.exit(code);
const { documents } = require('../dist/src/documents/documents.js');

for (const [file, text] of Object.entries(documents(root))) {
  const target = path.join(root, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text);
}
