import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { chooseRuntime } from '../node-runtime.mjs';
import { listenFailure } from './address.mjs';

/** Maximum time for Node-RED to end, in milliseconds. */
const endLimitMs = 15_000;

const script = fileURLToPath(new URL('runtime.mjs', import.meta.url));

/**
 * Starts a Node-RED of the demo in its own process, which ends with this process.
 * @param {object} options
 * @param {string} [options.label] prefix of its lines in the terminal, and name of its editor
 * @param {boolean} [options.reloads] whether a page of the editor reloads after the next start
 * @param {Record<string, string>} [options.env] additional environment variables
 * @returns `ready` resolves to its address, or rejects with the reason of the failure; `ended` resolves when
 * the process has ended, to a sentence after a failure; `end` ends the process
 */
export function startNodeRed({ host, port, userDir, label, reloads = false, env = {} }) {
  const { node, nodeRed } = chooseRuntime();
  const args = [script, '--module', nodeRed, '--host', host, '--port', String(port), '--user-dir', userDir];
  const more = [...(label ? ['--label', label] : []), ...(reloads ? ['--reloads'] : [])];
  const child = spawn(node, [...args, ...more], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...env },
  });
  let ending = false;
  const end = () => {
    if (ending) return;
    ending = true;
    if (child.connected) child.disconnect();
    setTimeout(() => child.kill('SIGKILL'), endLimitMs).unref();
  };
  const ready = new Promise((resolve, reject) => {
    child.on('message', ({ ready: found, failure }) => {
      if (found) resolve(found);
      else if (failure) reject(listenFailure(failure, { host, port }));
    });
  });
  const ended = new Promise((resolve) => {
    const name = label ? `Node-RED (${label})` : 'Node-RED';
    child.once('error', ({ message }) => resolve(`${name} did not start: ${message}`));
    child.once('exit', (code, signal) => {
      resolve(code === 0 ? '' : `${name} ended unexpectedly (${signal ?? `exit code ${code}`})`);
    });
  });
  return { ready, ended, end };
}
