/**
 * The Node-RED of the demo in its own process, since it can need another Node than its parent. Reports its
 * address or its failure to the parent once, and ends with the parent.
 */
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { demoLog } from './log.mjs';
import { credentialSecret } from './user-directory.mjs';

/** Maximum time for nodes to close, in milliseconds. */
const closeLimitMs = 5000;

const { values } = parseArgs({
  options: {
    ...Object.fromEntries(
      ['module', 'host', 'port', 'user-dir', 'label'].map((name) => [name, { type: 'string' }]),
    ),
    reloads: { type: 'boolean' },
  },
});
const require = createRequire(import.meta.url);
const RED = require(values.module);
const express = createRequire(require.resolve(values.module))('express');
const app = express();
const server = createServer(app);
const title = values.label ? `Algo demo: ${values.label}` : 'Algo demo';
let stopping = false;

process.once('disconnect', stop);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);

RED.init(server, {
  uiHost: values.host,
  uiPort: Number(values.port),
  userDir: values['user-dir'],
  nodesDir: [fileURLToPath(new URL('../..', import.meta.url))],
  flowFile: 'flows.json',
  credentialSecret: await credentialSecret(values['user-dir']),
  httpAdminRoot: '/',
  httpNodeRoot: '/',
  nodeCloseTimeout: closeLimitMs,
  telemetry: { enabled: false, updateNotification: false },
  editorTheme: {
    tours: false,
    projects: { enabled: false },
    page: { title, ...(values.reloads && { scripts: fileURLToPath(new URL('reload.js', import.meta.url)) }) },
    header: { title },
  },
  logging: { demo: demoLog(values.label) },
});
// The page of the editor asks for the process id and reloads when the id has changed.
if (values.reloads) app.get('/algo-demo/process', (_request, response) => response.json(process.pid));
app.use('/', RED.httpAdmin);
app.use('/', RED.httpNode);

const running = flowsRunning();
await RED.start();
server.once('error', ({ code, message }) => sendToParent({ failure: { code, message } }));
server.listen(Number(values.port), values.host, async () => {
  const broken = brokenNodes();
  const stopped = await running;
  // If nodes did not load, the flow itself is not the cause.
  const advice = `; ${values.reloads ? 'npm run dev' : 'npm start'} -- --fresh starts again`;
  const problems = [...stopped.map((sentence) => sentence + (broken.length > 0 ? '' : advice)), ...broken];
  sendToParent({ ready: { port: server.address().port, problems, ...(await describeFlow()) } });
});

/** Resolves when the flow has started or failed, after a failure with a sentence. */
function flowsRunning() {
  return new Promise((resolve) => {
    RED.events.once('flows:started', () => resolve([]));
    RED.events.on('runtime-event', ({ id, payload }) => {
      if (id !== 'runtime-state' || payload?.type !== 'warning') return;
      const what = payload.types ? `it needs unknown nodes: ${payload.types.join(', ')}` : payload.error;
      resolve([`The flow is not running${what ? `, ${what}` : ''}`]);
    });
  });
}

/** Returns one sentence for each set of nodes that did not load. */
function brokenNodes() {
  return RED.nodes
    .getNodeList(({ err }) => err)
    .map(({ id, err }) => `${id} did not load: ${err.message ?? err}`);
}

/** Returns the parts of the demo in the flow, which the user can have changed. */
async function describeFlow() {
  const configs = [];
  RED.nodes.eachNode((config) => configs.push(config));
  const isDoorbell = ({ type, url, method }) =>
    type === 'http in' && url === '/doorbell' && method === 'post';
  const devices = configs.filter(({ type }) => type === 'algo-virtual-device').map(describeDevice);
  return {
    doorbell: configs.some(isDoorbell),
    buttons: configs
      .filter(({ type }) => type === 'inject')
      .map(({ id, name }) => ({ id, name: name || id })),
    devices: (await Promise.all(devices)).filter(Boolean),
  };
}

/**
 * Returns name, model, address and panel of a virtual device; undefined if it did not start, which the log
 * reports.
 */
async function describeDevice({ id, name, model }) {
  try {
    const { address } = await RED.nodes.getNode(id).endpoint();
    return { id, name: name || `Virtual ${model}`, model, address, panel: `algo/virtual/${id}/` };
  } catch {
    return undefined;
  }
}

function sendToParent(message) {
  if (process.connected) process.send(message);
}

async function stop() {
  if (stopping) return;
  stopping = true;
  // Node-RED waits for its nodes when it stops; a node that never closes must not keep the demo alive.
  setTimeout(() => {
    console.error(`${title}: Node-RED did not stop within ${(2 * closeLimitMs) / 1000} s`);
    process.exit(1);
  }, 2 * closeLimitMs).unref();
  try {
    await RED.stop();
    process.exit(0);
  } catch (error) {
    console.error(`Node-RED did not stop properly: ${error.message}`);
    process.exit(1);
  }
}
