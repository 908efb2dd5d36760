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
/** When the last request of all came, likewise, and how many had come when somebody last asked. */
let lastAt = 0;
let takenRequests = 0;
const edges = [];
let toggling = [];

serve({
  open,
  counts: () => ({ requests, connections }),
  takeEmergency() {
    const at = emergencyAt;
    emergencyAt = undefined;
    return at;
  },
  takeLast() {
    const last = { requests: requests - takenRequests, lastAt };
    takenRequests = requests;
    return last;
  },
  startEdges,
  stopEdges,
});

function noteRequest(path) {
  requests += 1;
  lastAt = performance.timeOrigin + performance.now();
  if (path === '/api/controls/emergency-alert/start')
    emergencyAt ??= performance.timeOrigin + performance.now();
}

/** Opens so many devices. Resolves to their addresses. */
async function open(count) {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const device = { state: 'idle', address: '' };
      const server = net.createServer({ noDelay: true }, (socket) => {
        connections += 1;
        socket.on('error', () => socket.destroy());
        answerOver(socket, device, noteRequest);
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
