/** One contestant: a Node-RED with the flow that its parent asks for. */

import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { serve } from './child.mjs';
import { addSource, arrived, drive, send } from './drive.mjs';
import { cpu, memory, modules, watchLoop } from './probe.mjs';

const require = createRequire(import.meta.url);
/** Inputs that a flow saw change: `{ address, state, at }`. */
const edges = [];

/** Ends the watch over the event loop, and resolves to the longest turn. */
let endWatch;
const watch = () => {
  endWatch = watchLoop();
};
const watched = () => endWatch();
serve({ deploy, drive, send, memory, modules, cpu, watch, watched, takeEdges: () => edges.splice(0) });

/**
 * Starts Node-RED.
 * @param {object} setup
 * @param {string} setup.nodeRed the module
 * @param {string} [setup.ours] directory of the package, as if it were installed
 * @param {object[]} setup.flow
 * @param {object} setup.credentials
 * @param {boolean} [setup.editor] whether it serves the editor
 * @param {string} [setup.httpNodeRoot] the root of HTTP nodes, if it serves them
 * @returns what the start took, since the process began, and the editor's port
 */
async function deploy({ nodeRed, ours, flow, credentials, editor = false, httpNodeRoot = false }) {
  const RED = require(nodeRed);
  const userDir = await prepareUserDir({ ours, flow, credentials });
  const server = http.createServer();
  RED.init(server, {
    userDir,
    flowFile: 'flows.json',
    credentialSecret: false,
    httpAdminRoot: editor ? '/' : false,
    httpNodeRoot,
    nodesDir: [fileURLToPath(new URL('../nodes', import.meta.url))],
    telemetry: { enabled: false, updateNotification: false },
    logging: { console: { level: 'fatal', metrics: false, audit: false } },
    bench: {
      addSource,
      arrived,
      sawEdge: (address, state) => edges.push({ address, state, at: Date.now() }),
    },
  });
  const started = new Promise((resolve) => RED.events.once('flows:started', resolve));
  // As Node-RED's own command does it: a webhook listens in front of what is there when it starts.
  if (editor) server.on('request', RED.httpAdmin);
  await RED.start();
  await started;
  const taken = { cpu: cpu() };
  refuseMissingTypes(RED, flow);
  if (!editor) return taken;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { ...taken, port: server.address().port };
}

async function prepareUserDir({ ours, flow, credentials }) {
  const userDir = await mkdtemp(path.join(tmpdir(), 'algo-bench-'));
  process.on('exit', () => rmSync(userDir, { recursive: true, force: true }));
  process.on('SIGTERM', () => process.exit());
  await writeFile(path.join(userDir, 'flows.json'), JSON.stringify(flow));
  await writeFile(path.join(userDir, 'flows_cred.json'), JSON.stringify(credentials));
  if (!ours) return userDir;
  const scope = path.join(userDir, 'node_modules', '@openpaging');
  await mkdir(scope, { recursive: true });
  await symlink(ours, path.join(scope, 'node-red-algo'), 'junction');
  return userDir;
}

/** A flow that does not run would be measured as a very fast one. */
function refuseMissingTypes(RED, flow) {
  for (const { id, type } of flow) {
    if (type !== 'tab' && !RED.nodes.getNode(id)) throw new Error(`there is no node of type ${type}`);
  }
}
