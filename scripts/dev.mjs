import { spawn } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { listenFailure, tryToListen, urlOf } from './demo/address.mjs';
import { readArguments } from './demo/arguments.mjs';
import { startNodeRed } from './demo/node-red.mjs';
import { prepareUserDirectory } from './demo/user-directory.mjs';
import { run } from './node-runtime.mjs';
import { createCompiler } from './transpile.mjs';

const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL('..', import.meta.url));
/** An editor saves a file in several steps, and many files together. */
const quietMs = 60;

/** The sources of the pages of the editor; all else changes only what runs. */
const ofPages =
  /^(?:nodes\/.*\.html|locales\/|icons\/|src\/(?:editor|catalogue|bells|virtual-device\/panel)\/)/;

const options = readArguments(process.argv.slice(2), process.env);
const { host, fresh } = options;
const userDir = path.resolve(root, options.userDir);
await tryToListen(host, options.port).catch((error) => {
  throw listenFailure(error, { host, port: options.port });
});

let port = options.port;
let compiler = await createCompiler();
let nodeRed;
let ending = false;
const changed = new Set();
let wake = () => {};

for (const folder of ['nodes', 'src', 'icons', 'locales']) {
  watch(path.join(root, folder), { recursive: true }, (_event, file) => {
    if (!file || /~$|\.sw.$/.test(file)) return;
    changed.add(`${folder}/${file.split(path.sep).join('/')}`);
    wake();
  });
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    ending = true;
    nodeRed?.end();
    wake();
  });
}

await prepareUserDirectory(userDir, fresh);
await update(['nodes/', 'locales/'], 'Started');
const types = checkTypes();
while (!ending) {
  await new Promise((resolve) => {
    wake = resolve;
    if (changed.size > 0) resolve();
  });
  await new Promise((resolve) => setTimeout(resolve, quietMs));
  if (ending) break;
  const files = [...changed];
  changed.clear();
  await update(files, files.length > 3 ? `${files.length} files changed` : `${files.join(', ')} changed`);
}
types.kill();
await compiler.end();
await nodeRed?.ended;

/** Compiles, renders what these files need, and starts Node-RED again. Prints how long each took. */
async function update(files, said) {
  const began = performance.now();
  const took = [];
  const step = async (name, work) => {
    const before = performance.now();
    await work();
    took.push(`${name} ${((performance.now() - before) / 1000).toFixed(1)} s`);
  };
  try {
    const stopped = nodeRed?.ended;
    nodeRed?.end();
    await step('compile', () => compile(files));
    if (files.some((file) => ofPages.test(file) || file === 'nodes/')) await step('pages', render);
    await step('Node-RED', async () => {
      await stopped;
      await start();
    });
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    console.log(`${said}: running after ${seconds} s (${took.join(', ')})  ${urlOf(host, port)}`);
  } catch (error) {
    // esbuild has said where the mistake is.
    console.error(`${said}: not running, ${error.message.split('\n')[0]}`);
  }
}

async function compile(files) {
  const isNew = (file) =>
    file.endsWith('.ts') && !existsSync(path.join(root, 'dist', file.replace(/\.ts$/, '.js')));
  if (files.some((file) => isNew(file) || (file.endsWith('.ts') && !existsSync(path.join(root, file))))) {
    await compiler.end();
    compiler = await createCompiler();
  }
  await compiler.compile();
}

/** In a process of its own, since what renders is compiled too. */
async function render() {
  const script = "require('./dist/src/editor/render.js').renderNodes()";
  if ((await run(process.execPath, ['-e', script], { cwd: root })) !== 0) throw new Error('no pages');
}

async function start() {
  nodeRed = startNodeRed({ host, port, userDir, reloads: true });
  const ready = await nodeRed.ready;
  port = ready.port;
  for (const problem of ready.problems) console.error(`Warning: ${problem}`);
}

/** The type check goes on by itself, and yields to all else. */
function checkTypes() {
  const args = [require.resolve('typescript/bin/tsc'), '--noEmit', '--watch', '--preserveWatchOutput'];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  os.setPriority(child.pid, os.constants.priority.PRIORITY_LOW);
  return child;
}
