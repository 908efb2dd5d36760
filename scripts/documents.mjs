import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { transpile } from './transpile.mjs';

const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL('..', import.meta.url));

await transpile();
// The pages of nodes say what the built dialogs show.
await require('../dist/src/editor/render.js').renderNodes();
const { documents } = require('../dist/src/documents/documents.js');

for (const [file, text] of Object.entries(documents(root))) {
  const target = path.join(root, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text);
}
