import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { listenFailure, tryToListen, urlOf } from './demo/address.mjs';
import { help, readArguments } from './demo/arguments.mjs';
import { buildIfNeeded } from './demo/build-if-needed.mjs';
import { prepareUserDirectory } from './demo/user-directory.mjs';
import { welcome } from './demo/welcome.mjs';
import { chooseRuntime } from './node-runtime.mjs';

/** How long Node-RED may take to end, in milliseconds. */
const endLimitMs = 15_000;

const root = fileURLToPath(new URL('..', import.meta.url));

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

/** Resolves to the exit code; rejects with an error whose message is meant for a person. */
async function main(args) {
  const options = readArguments(args, process.env);
  if (options.help) {
    console.log(help);
    return 0;
  }
  await tryToListen(options.host, options.port).catch((error) => {
    throw listenFailure(error, options);
  });
  const built = await buildIfNeeded(root);
  if (built !== 0) return built;
  const userDir = path.resolve(root, options.userDir);
  await prepareUserDirectory(userDir, options.fresh);
  return runNodeRed({ ...options, userDir });
}

/** Runs Node-RED in its own process until it ends or is told to. Resolves to the exit code. */
function runNodeRed({ host, port, userDir }) {
  const { node, nodeRed } = chooseRuntime();
  console.log('Starting Node-RED ...');
  const script = path.join(root, 'scripts', 'demo', 'runtime.mjs');
  const args = [script, '--module', nodeRed, '--host', host, '--port', String(port), '--user-dir', userDir];
  const child = spawn(node, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });

  let failed = false;
  let ending = false;
  const end = () => {
    if (ending) return;
    ending = true;
    if (child.connected) child.disconnect();
    setTimeout(() => child.kill('SIGKILL'), endLimitMs).unref();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);
  whenNpmIsGone(end);

  child.on('message', ({ ready, failure }) => {
    if (ready && !ending) console.log(welcome(urlOf(host, ready.port), { ...ready, host }));
    if (!failure) return;
    failed = true;
    console.error(listenFailure(failure, { host, port }).message);
    end();
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      if (!ending && code !== 0)
        console.error(`Node-RED ended unexpectedly (${signal ?? `exit code ${code}`})`);
      resolve(failed || code !== 0 ? 1 : 0);
    });
  });
}

/** A SIGTERM to npm ends npm and the shell between us, but does not arrive here: notice the missing parent. */
function whenNpmIsGone(end) {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && end(), 500).unref();
}
