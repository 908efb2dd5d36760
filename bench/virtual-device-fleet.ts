/**
 * How many devices fit into a process, and how much they answer: `node dist/bench/virtual-device-fleet.js
 * [devices] [seconds]`. The load generator is this process, so both share the machine.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';

const CLI = path.resolve(__dirname, '../src/virtual-device/cli.js');
const PLAY = JSON.stringify({ path: 'chime.wav', loop: false });

const [devices = 1000, seconds = 20] = process.argv.slice(2).map(Number);

async function startFleet(): Promise<{ child: ChildProcess; ports: number[] }> {
  const args = [CLI, '--json', '--model', '8301', '--password', 'bench', '--count', String(devices)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const ports: number[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    ports.push(Number(new URL(JSON.parse(line).address).port));
    if (ports.length === devices) break;
  }
  return { child, ports };
}

/** Resident memory of a process in MB, and the most it ever was. */
function memoryOf(pid: number): { now: number; most: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const value = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  return { now: value('VmRSS'), most: value('VmHWM') };
}

let nonce = 0;

/** Reads and commands in turn, each with what it needs to be believed. */
function signedRequest(): string {
  nonce += 1;
  const [route, body] =
    nonce % 2 === 0 ? ['GET /api/info/about', ''] : ['POST /api/controls/tone/start', PLAY];
  const [method, target] = route.split(' ');
  const now = Math.floor(Date.now() / 1000);
  const md5 = createHash('md5').update(body).digest('hex');
  const middle = body ? `:${md5}:application/json` : '';
  const digest = createHmac('sha256', 'bench')
    .update(`${method}:${target}${middle}:${now}:${nonce}`)
    .digest('hex');
  const content = body
    ? `Content-Type: application/json\r\nContent-MD5: ${md5}\r\nContent-Length: ${body.length}\r\n`
    : '';
  const date = new Date(now * 1000).toUTCString();
  const head = `Host: x\r\nDate: ${date}\r\nAuthorization: hmac admin:${nonce}:${digest}\r\n${content}`;
  return `${method} ${target} HTTP/1.1\r\n${head}\r\n${body}`;
}

interface Tally {
  done: number;
  refused: number;
  readonly latencies: number[];
}

/** Asks one device again and again over one connection, one request at a time. */
function askAgain(socket: Socket, tally: Tally, pauseMs: () => number): void {
  let sentAt = 0;
  let text = '';
  const ask = (): void => {
    sentAt = performance.now();
    socket.write(signedRequest());
  };
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk;
    const end = text.indexOf('\r\n\r\n');
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1]);
    if (end < 0 || text.length < end + 4 + length) return;
    if (text.startsWith('HTTP/1.1 200')) tally.done += 1;
    else tally.refused += 1;
    tally.latencies.push(performance.now() - sentAt);
    text = '';
    setTimeout(ask, pauseMs());
  });
  setTimeout(ask, Math.random() * 1000);
}

async function main(): Promise<void> {
  const startedAt = performance.now();
  const { child, ports } = await startFleet();
  const pid = child.pid ?? 0;
  console.log(`${devices} devices listen after ${Math.round(performance.now() - startedAt)} ms`);
  console.log(`memory before load: ${Math.round(memoryOf(pid).now)} MB`);
  const sockets = ports.map((port) => connect(port, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const tally: Tally = { done: 0, refused: 0, latencies: [] };
  for (const socket of sockets) askAgain(socket, tally, () => 0);
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const before = tally.done;
  tally.latencies.length = 0;
  const from = performance.now();
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  const rate = (tally.done - before) / ((performance.now() - from) / 1000);
  const sorted = tally.latencies.toSorted((a, b) => a - b);
  const at = (part: number) => Math.round(sorted[Math.floor(sorted.length * part)] ?? 0);
  const { now, most } = memoryOf(pid);
  console.log(`${Math.round(rate)} signed requests per second, ${tally.refused} refused`);
  console.log(`latency at this load: median ${at(0.5)} ms, 99 % within ${at(0.99)} ms`);
  console.log(`memory under load: ${Math.round(now)} MB, at most ${Math.round(most)} MB`);
  for (const socket of sockets) socket.destroy();
  child.kill('SIGTERM');
  await once(child, 'exit');
  const isEnough = rate >= 5000 && most < 600 && tally.refused === 0;
  console.log(isEnough ? 'meets the aim' : 'misses the aim: 5,000 per second, under 600 MB, none refused');
  process.exitCode = isEnough ? 0 : 1;
}

void main();
