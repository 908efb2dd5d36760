import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { listenFailure, tryToListen, urlOf } from './demo/address.mjs';
import { help, readArguments } from './demo/arguments.mjs';
import { buildIfNeeded } from './demo/build-if-needed.mjs';
import { startNodeRed } from './demo/node-red.mjs';
import { onSignal } from './demo/on-signal.mjs';
import { checkSites, runSites } from './demo/sites.mjs';
import { prepareUserDirectory } from './demo/user-directory.mjs';
import { welcome } from './demo/welcome.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

/** Resolves to the exit code; rejects with an error whose message is for the user. */
async function main(args) {
  const options = readArguments(args, process.env);
  if (options.help) {
    console.log(help);
    return 0;
  }
  await (options.sites ? checkSites(options) : checkPort(options));
  const built = await buildIfNeeded(root);
  if (built !== 0) return built;
  const userDir = path.resolve(root, options.userDir);
  if (options.sites) {
    return runSites({ ...options, userDir: path.join(userDir, 'sites') }, onSignal);
  }
  await prepareUserDirectory(userDir, options.fresh);
  return runNodeRed({ ...options, userDir });
}

function checkPort({ host, port }) {
  return tryToListen(host, port).catch((error) => {
    throw listenFailure(error, { host, port });
  });
}

/** Runs Node-RED in its own process until it ends or is told to end. Resolves to the exit code. */
async function runNodeRed(options) {
  console.log('Starting Node-RED ...');
  const nodeRed = startNodeRed(options);
  let ending = false;
  let failed = false;
  const end = () => {
    ending = true;
    nodeRed.end();
  };
  onSignal(end);
  nodeRed.ready.then(
    (ready) => {
      if (!ending) console.log(welcome(urlOf(options.host, ready.port), { ...ready, host: options.host }));
    },
    (error) => {
      failed = true;
      if (!ending) console.error(error.message);
      end();
    },
  );
  const trouble = await nodeRed.ended;
  if (trouble && !ending) console.error(trouble);
  return failed || trouble ? 1 : 0;
}
