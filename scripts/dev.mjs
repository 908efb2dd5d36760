import { spawn } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, watch } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { listenFailure, tryToListen, urlOf } from './demo/address.mjs';
import { help, readArguments } from './demo/arguments.mjs';
import { startNodeRed } from './demo/node-red.mjs';
import { onSignal } from './demo/on-signal.mjs';
import { prepareUserDirectory } from './demo/user-directory.mjs';
import { run } from './node-runtime.mjs';
import { isSource, sourcesIn, transpile } from './transpile.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Pause in milliseconds after the last change, since a text editor saves a file in several steps. */
const quietMs = 60;

/** Files that the pages of the editor are made of; other files change only code that runs. */
const ofPages =
  /^(?:nodes\/.*\.html|locales\b|icons\/|src\/(?:editor|catalogue|bells|runtime\/admin\/answers|virtual-device\/panel)\b)/;
/** Code of pages has its own type check, which starts with its first change. */
const typesOfPages = ['src/editor/browser', 'src/virtual-device/panel'];

const changed = new Set();
const watched = new Set();
const checks = new Map();
let nodeRed;
let ending = false;
let wake = () => {};

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

/** Runs until told to end. Rejects with an error whose message is for the user. */
async function main(args) {
  const options = readArguments(args, process.env);
  if (options.help) return console.log(help);
  if (options.sites) throw new Error('--sites is for npm start only');
  const { host, port, fresh } = options;
  await tryToListen(host, port).catch((error) => {
    throw listenFailure(error, { host, port, command: 'npm run dev' });
  });
  const where = { host, port, userDir: path.resolve(root, options.userDir) };
  for (const folder of ['nodes', 'src', 'icons', 'locales']) watchFolder(folder);
  onSignal(() => {
    ending = true;
    nodeRed?.end();
    wake();
  });
  await prepareUserDirectory(where.userDir, fresh);
  console.log('Building, then starting Node-RED ...');
  const all = ['nodes', 'src', 'test', 'bench', 'locales'];
  const left = (await update(all, 'Started', where)) ? [] : all;
  checkTypes('.');
  await follow(left, where);
  // TypeScript catches the signals that could be handled, and seldom hangs then.
  for (const check of checks.values()) check.kill('SIGKILL');
  await stop();
  process.exit(0);
}

/**
 * Watches each folder by itself: on Linux, the recursive watch of Node.js no longer notices a file after another
 * file was renamed over it, which is how many text editors save.
 */
function watchFolder(folder) {
  watched.add(folder);
  const watcher = watch(path.join(root, folder), (_event, name) => {
    if (!exists(folder)) return watcher.close();
    if (!name || /~$|\.sw.$/.test(name)) return;
    const file = `${folder}/${name}`;
    if (exists(file) && isFolder(file) && !watched.has(file)) watchFolder(file);
    notice(file);
  });
  // On Windows, a deleted folder is an error. The folder that contains it reports the deletion.
  watcher.on('error', () => watcher.close());
  watcher.on('close', () => watched.delete(folder));
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    if (entry.isDirectory()) watchFolder(`${folder}/${entry.name}`);
  }
}

function isWatched(file) {
  return /\.(?:css|html|js|json|svg|txt)$/.test(file) || isFolder(file);
}

function notice(file) {
  changed.add(file);
  wake();
}

/** Builds and runs each change until told to end. A failed build is repeated with the next change. */
async function follow(notBuilt, where) {
  let left = notBuilt;
  while (!ending) {
    await new Promise((resolve) => {
      wake = resolve;
      if (changed.size > 0 || ending) resolve();
    });
    await new Promise((resolve) => setTimeout(resolve, quietMs));
    if (ending) return;
    // A text editor can create temporary files, and rename or delete them.
    const files = [...changed].filter((file) => isSource(file) || (exists(file) && isWatched(file)));
    changed.clear();
    if (files.length === 0) continue;
    for (const project of typesOfPages) {
      if (files.some((file) => file.startsWith(`${project}/`))) checkTypes(project);
    }
    const said = files.length > 3 ? `${files.length} files changed` : `${files.join(', ')} changed`;
    const all = [...new Set([...left, ...files])];
    left = (await update(all, said, where)) ? [] : all;
  }
}

/**
 * Compiles, renders the affected pages, and restarts Node-RED. Prints the duration of each step.
 * @returns whether the build succeeded; if not, the previous Node-RED continues
 */
async function update(files, said, where) {
  const began = performance.now();
  const took = [];
  const step = async (name, work) => {
    const before = performance.now();
    await work();
    took.push(`${name} ${((performance.now() - before) / 1000).toFixed(1)} s`);
  };
  try {
    await step('compile', () => compile(files));
    if (files.some((file) => ofPages.test(file))) await step('pages', render);
  } catch (error) {
    // The failed step has already printed the location of the mistake.
    const still = nodeRed ? '; what was built before still runs' : '';
    console.error(`${said}: not built, ${error.message.split('\n')[0].replace(/:$/, '')}${still}`);
    return false;
  }
  try {
    await step('Node-RED', () => start(where));
    if (ending) return true;
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    console.log(`${said}: running after ${seconds} s (${took.join(', ')})  ${urlOf(where.host, where.port)}`);
  } catch (error) {
    if (!ending) console.error(`${said}: not running, ${error.message}`);
  }
  return true;
}

async function compile(files) {
  const all = files.filter(exists).flatMap((file) => (isFolder(file) ? sourcesIn(file) : [file]));
  await transpile([...new Set(all.filter(isSource))]);
  for (const file of files.filter((one) => isSource(one) && !exists(one))) {
    rmSync(path.join(root, 'dist', file.replace(/\.ts$/, '.js')), { force: true });
  }
}

function exists(file) {
  return existsSync(path.join(root, file));
}

function isFolder(file) {
  // A file that a text editor writes under another name can be gone by now.
  return statSync(path.join(root, file), { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Runs in its own process, since the code that renders has changed too. */
async function render() {
  const script = "require('./dist/src/editor/render.js').renderNodes()";
  if ((await run(process.execPath, ['-e', script], { cwd: root })) !== 0) throw new Error('the pages failed');
}

/** Replaces the running Node-RED with a new one on the same port. */
async function start(where) {
  await stop();
  if (ending) return;
  const one = startNodeRed({ ...where, reloads: true });
  nodeRed = one;
  try {
    const early = one.ended.then((trouble) => {
      throw new Error(trouble || 'Node-RED has ended');
    });
    const ready = await Promise.race([one.ready, early]);
    where.port = ready.port;
    for (const problem of ready.problems) console.error(`Warning: ${problem}`);
  } catch (error) {
    await stop();
    throw error;
  }
  one.ended.then((trouble) => {
    if (one !== nodeRed || ending) return;
    nodeRed = undefined;
    console.error(`${trouble || 'Node-RED has ended'}; it is started again at the next change`);
  });
}

async function stop() {
  const one = nodeRed;
  nodeRed = undefined;
  one?.end();
  await one?.ended;
}

/** Starts a type check that runs continuously at low priority. */
function checkTypes(project) {
  if (checks.has(project) || ending) return;
  const args = ['node_modules/typescript-7/bin/tsc', '-p', project, '--noEmit', '--watch'];
  const child = spawn(process.execPath, [...args, '--preserveWatchOutput'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  os.setPriority(child.pid, os.constants.priority.PRIORITY_LOW);
  checks.set(project, child);
}
