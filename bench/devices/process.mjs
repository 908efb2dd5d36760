/** Devices in a process of their own: plain servers on 127.0.0.1 that answer as little as a device does. */
import { once } from 'node:events';
import net from 'node:net';
import { serve } from '../processes/child.mjs';
import { answerOver } from './connection.mjs';

const devices = [];
let requests = 0;
let connections = 0;
/** When the last emergency came, in epoch milliseconds. */
let emergencyAt;
/** When the last request to a device without a fault came, in epoch milliseconds. */
let healthyAt;
const edges = [];
let toggling = [];

serve({
  open,
  openFaulty,
  takeHealthy() {
    const at = healthyAt;
    healthyAt = undefined;
    return at;
  },
  counts: () => ({ requests, connections }),
  takeEmergency() {
    const at = emergencyAt;
    emergencyAt = undefined;
    return at;
  },
  startEdges,
  stopEdges,
});

const now = () => performance.timeOrigin + performance.now();

function noteRequest(path) {
  requests += 1;
  healthyAt = now();
  if (path === '/api/controls/emergency-alert/start') emergencyAt ??= now();
}

/** Opens so many devices. Resolves to their addresses. */
function open(count) {
  return openAll(count, (socket, device) => answerOver(socket, device, noteRequest));
}

/**
 * Opens devices that are of no use: some answer late, some never, and behind some addresses nobody listens.
 * Resolves to the addresses of each kind.
 */
async function openFaulty({ slow, silent, gone, delayMs }) {
  const noteNothing = () => {};
  return {
    slow: await openAll(slow, (socket, device) => {
      answerOver(socket, Object.assign(device, { delayMs }), noteNothing);
    }),
    silent: await openAll(silent, (socket) => socket.resume()),
    // Nobody listens on a port that only root may have.
    gone: Array.from({ length: gone }, (_, index) => `http://127.0.0.1:${index + 2}`),
  };
}

function openAll(count, answer) {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const device = { state: 'idle', address: '' };
      const server = net.createServer({ noDelay: true }, (socket) => {
        connections += 1;
        socket.on('error', () => socket.destroy());
        answer(socket, device);
      });
      server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 });
      await once(server, 'listening');
      device.address = `http://127.0.0.1:${server.address().port}`;
      devices.push(device);
      return device.address;
    }),
  );
}

function toggle(device) {
  device.state = device.state === 'idle' ? 'active' : 'idle';
  edges.push({ address: device.address, state: device.state, at: Date.now() });
}

/** Closes and opens the input of each of the first devices, each at moments of its own. */
function startEdges({ count, everyMs }) {
  toggling = devices.slice(0, count).map((device) => {
    const timer = { stop: () => clearTimeout(timer.handle) };
    timer.handle = setTimeout(() => {
      toggle(device);
      timer.handle = setInterval(toggle, everyMs, device);
    }, Math.random() * everyMs);
    return timer;
  });
}

/** Returns the edges that were made: `{ address, state, at }`. */
function stopEdges() {
  for (const { stop } of toggling.splice(0)) stop();
  return edges.splice(0);
}
