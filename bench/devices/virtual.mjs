/** Virtual devices in a process of their own, and devices that take a connection and never answer. */
import { once } from 'node:events';
import { createRequire } from 'node:module';
import net from 'node:net';
import { serve } from '../processes/child.mjs';

const require = createRequire(import.meta.url);
const { VirtualDevice } = require('../../dist/src/virtual-device/device.js');

const devices = [];
/** When each upload has ended and each tone was started, in epoch milliseconds, and at which device. */
let uploads = [];
let tones = [];
let requests = 0;

serve({
  open,
  openSilent,
  take() {
    const taken = { uploads, tones, requests };
    uploads = [];
    tones = [];
    requests = 0;
    return taken;
  },
});

const now = () => performance.timeOrigin + performance.now();

/** Opens so many devices. Resolves to their addresses. */
function open({ count, ...options }) {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const device = new VirtualDevice({ logLength: 10, password: 'algo', ...options });
      const index = devices.push(device) - 1;
      device.on('request', ({ method, path, outcome }) => {
        requests += 1;
        if (outcome !== 'done') return;
        if (method === 'PUT' && path.startsWith('/api/files/')) uploads.push({ index, at: now() });
        if (path === '/api/controls/tone/start') tones.push({ index, at: now() });
      });
      return device.start();
    }),
  );
}

function openSilent(count) {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const server = net.createServer((socket) => socket.on('error', () => socket.destroy()).resume());
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      return `http://127.0.0.1:${server.address().port}`;
    }),
  );
}
