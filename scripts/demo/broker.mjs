/**
 * The demo's MQTT broker, behind a process of ours: it ends when the demo does, also when that is killed, and not
 * before, though Ctrl-C in a terminal reaches all that it started.
 */
import { spawn } from 'node:child_process';

const [command, configuration] = process.argv.slice(2);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
// In a group of its own, so that Ctrl-C does not end it while the others still say good-bye to it.
const mosquitto = spawn(command, ['-c', configuration], {
  stdio: ['ignore', 'ignore', 'pipe'],
  detached: process.platform !== 'win32',
});
let words = '';
mosquitto.stderr.setEncoding('utf8').on('data', (text) => {
  words = `${words}${text}`.slice(-2_000);
});
process.once('disconnect', () => mosquitto.kill());
mosquitto.once('error', ({ message }) => leave(message));
mosquitto.once('exit', () => leave(words.trim().split('\n').at(-1)));

function leave(reason) {
  if (!process.connected) process.exit(0);
  process.send({ failure: reason || 'it gave no reason' }, () => process.exit(1));
}
