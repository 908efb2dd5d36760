/** Sends very many requests to a webhook, at an even pace, and notes what became of them. */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import http from 'node:http';
import os from 'node:os';
import { serve } from './child.mjs';

// In a building the sender is another computer, which takes no processor time from Node-RED.
os.setPriority(os.constants.priority.PRIORITY_LOW);
serve({ flood });

const type = 'application/json';

/** The headers of a Standard signature. */
function sign(path, body, password) {
  const seconds = Math.floor(Date.now() / 1000);
  const nonce = randomBytes(16).toString('hex');
  const md5 = createHash('md5').update(body).digest('hex');
  const input = ['POST', path, md5, type, seconds, nonce].join(':');
  const digest = createHmac('sha256', password).update(input).digest('hex');
  const date = new Date(seconds * 1000).toUTCString();
  return { Authorization: `hmac admin:${nonce}:${digest}`, Date: date, 'Content-MD5': md5 };
}

/**
 * @param {object} order
 * @param {number} order.addresses from how many addresses of this computer, each with four sockets at most
 * @param {string} [order.password] signs with it
 * @returns how often each status came, how many requests had no answer, and the milliseconds to each answer
 */
async function flood({ port, count, seconds, addresses, paths, password }) {
  const agents = Array.from({ length: addresses }, (_, index) => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 4, scheduling: 'fifo' });
    return { agent, localAddress: `127.0.1.${index + 1}` };
  });
  const statuses = {};
  const latencies = [];
  let failures = 0;
  // Signed before the clock runs, so that the requests leave at an even pace.
  const requests = Array.from({ length: count }, (_, index) => {
    const path = paths[index % paths.length];
    const body = JSON.stringify({ index, fill: 'x'.repeat(500) });
    const signed = password === undefined ? {} : sign(path, body, password);
    return { path, body, headers: { 'Content-Type': type, 'Content-Length': body.length, ...signed } };
  });
  const send = (index) =>
    new Promise((resolve) => {
      const { agent, localAddress } = agents[index % addresses];
      const { path, body, headers } = requests[index];
      const began = performance.now();
      const options = { agent, localAddress, host: '127.0.0.1', port, path, method: 'POST', headers };
      const request = http.request(options, (answer) => {
        statuses[answer.statusCode] = (statuses[answer.statusCode] ?? 0) + 1;
        answer.resume().on('end', () => {
          latencies.push(performance.now() - began);
          resolve();
        });
      });
      request.on('error', () => {
        failures += 1;
        resolve();
      });
      request.end(body);
    });
  const began = performance.now();
  const sent = [];
  await new Promise((resolve) => {
    const timer = setInterval(() => {
      const due = Math.min(count, Math.floor(((performance.now() - began) * count) / (seconds * 1_000)));
      while (sent.length < due) sent.push(send(sent.length));
      if (sent.length < count) return;
      clearInterval(timer);
      resolve();
    }, 2);
  });
  await Promise.all(sent);
  for (const { agent } of agents) agent.destroy();
  return { statuses, failures, latencies };
}
