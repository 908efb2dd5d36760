import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The usual folders of Mosquitto. On Debian, the folder is only in root's path. */
const usualPlaces = [
  '/usr/sbin',
  '/usr/local/sbin',
  '/opt/homebrew/sbin',
  '/opt/homebrew/opt/mosquitto/sbin',
  'C:\\Program Files\\mosquitto',
];

const script = fileURLToPath(new URL('broker.mjs', import.meta.url));

/**
 * Finds the MQTT broker for the demo.
 * @throws Error with one sentence for the user if there is none
 */
export function findMosquitto(environment = process.env) {
  const { MOSQUITTO: asked, PATH: paths = '' } = environment;
  if (asked && existsSync(asked)) return asked;
  const name = process.platform === 'win32' ? 'mosquitto.exe' : 'mosquitto';
  const folders = [...paths.split(path.delimiter), ...usualPlaces].filter(Boolean);
  const found = asked ? undefined : folders.map((folder) => path.join(folder, name)).find(existsSync);
  if (found) return found;
  const what = asked ? `MOSQUITTO says ${asked}, where there is nothing` : 'Mosquitto is not installed';
  throw new Error(
    `${what}. Many sites need this MQTT broker: apt install mosquitto, brew install mosquitto, or https://mosquitto.org/download`,
  );
}

/**
 * Starts a broker that only this machine can reach.
 * @param {string} directory folder for its configuration
 * @returns its `port`; `ended` resolves when the broker has ended, `end` ends the broker
 */
export async function startMosquitto(command, directory) {
  await mkdir(directory, { recursive: true });
  const port = await freePort();
  const configuration = path.join(directory, 'mosquitto.conf');
  const lines = [
    `listener ${port} 127.0.0.1`,
    'allow_anonymous true',
    'set_tcp_nodelay true',
    'max_queued_messages 0',
  ];
  await writeFile(configuration, `${lines.join('\n')}\n`);
  const child = fork(script, [command, configuration], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  let failure;
  child.on('message', (message) => {
    failure = message.failure;
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const end = () => child.connected && child.disconnect();
  while (child.exitCode === null && !(await answers(port))) await sleep(50);
  if (child.exitCode !== null) throw new Error(`The broker ${command} did not start: ${failure}`);
  return { port, ended, end };
}

/** Returns a free port. */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function answers(port) {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
