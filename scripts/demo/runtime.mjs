/**
 * The demo's Node-RED, in a process of its own because it may need another Node than the one that started it.
 * Tells its parent once what it listens on, or why it cannot; ends when the parent does.
 */
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { demoLog } from './log.mjs';
import { credentialSecret } from './user-directory.mjs';

/** How long nodes may take to close, in milliseconds. */
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
// Asked by the page, which loads itself again when this is another process.
if (values.reloads) app.get('/algo-demo/process', (_request, response) => response.json(process.pid));
app.use('/', RED.httpAdmin);
app.use('/', RED.httpNode);

const running = flowsRunning();
await RED.start();
server.once('error', ({ code, message }) => tell({ failure: { code, message } }));
server.listen(Number(values.port), values.host, async () => {
  const broken = brokenNodes();
  const stopped = await running;
  // A flow whose nodes did not load is not at fault itself.
  const advice = `; ${values.reloads ? 'npm run dev' : 'npm start'} -- --fresh begins anew`;
  const problems = [...stopped.map((sentence) => sentence + (broken.length > 0 ? '' : advice)), ...broken];
  tell({ ready: { port: server.address().port, problems, ...(await describeFlow()) } });
});

/** Resolves when the flow runs or does not, with a sentence in the latter case. */
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

/** One sentence for each set of nodes that could not be loaded. */
function brokenNodes() {
  return RED.nodes
    .getNodeList(({ err }) => err)
    .map(({ id, err }) => `${id} did not load: ${err.message ?? err}`);
}

/** What of the demo is in the flow, which somebody may have changed. */
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

/** A virtual device's name, model, address and panel; undefined when it did not start, which the log says. */
async function describeDevice({ id, name, model }) {
  try {
    const { address } = await RED.nodes.getNode(id).endpoint();
    return { id, name: name || `Virtual ${model}`, model, address, panel: `algo/virtual/${id}/` };
  } catch {
    return undefined;
  }
}

function tell(message) {
  if (process.connected) process.send(message);
}

async function stop() {
  if (stopping) return;
  stopping = true;
  // Stopping waits for nodes; one that never closes must not keep the demo alive.
  setTimeout(() => process.exit(1), 2 * closeLimitMs).unref();
  try {
    await RED.stop();
    process.exit(0);
  } catch (error) {
    console.error(`Node-RED did not stop properly: ${error.message}`);
    process.exit(1);
  }
}
