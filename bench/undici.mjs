/** The bare minimum: undici, a signature, and a timer for each reading. */
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Client } from 'undici';
import { listen, sawEdge } from './report.mjs';

const paths = ['/api/info/status', '/api/info/input.relay.status'];
listen();
const [{ addresses, intervalMs }] = await once(process, 'message');

function headers(path) {
  const timestamp = Math.floor(Date.now() / 1000);
  const nonce = randomBytes(16).toString('hex');
  const digest = createHmac('sha256', 'algo').update(`GET:${path}:${timestamp}:${nonce}`).digest('hex');
  return { Date: new Date(timestamp * 1000).toUTCString(), Authorization: `hmac admin:${nonce}:${digest}` };
}

function watch(address) {
  const client = new Client(address);
  const last = {};
  const read = async (path) => {
    const { body } = await client.request({ path, method: 'GET', headers: headers(path) });
    const text = await body.text();
    const record = JSON.parse(text);
    const state = record['input.relay.status'];
    if (state === undefined) return;
    if (last.state !== undefined && last.state !== state) sawEdge(address, state);
    last.state = state;
  };
  for (const path of paths) {
    setTimeout(() => {
      void read(path);
      setInterval(() => void read(path), intervalMs);
    }, Math.random() * intervalMs);
  }
}

for (const address of addresses) watch(address);
