import { cpSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { writeDeclarations } from './declarations.mjs';
import { run } from './node-runtime.mjs';

const require = createRequire(import.meta.url);
const root = new URL('..', import.meta.url);

rmSync(new URL('dist', root), { recursive: true, force: true });
const code = await run(process.execPath, [require.resolve('typescript/bin/tsc')], { cwd: root });
if (code !== 0) process.exit(code);
const page = 'src/virtual-device/panel/page';
cpSync(new URL(page, root), new URL(`dist/${page}`, root), { recursive: true });
const { renderNodes } = require('../dist/src/editor/render.js');
await renderNodes();
writeDeclarations();
