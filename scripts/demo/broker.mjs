/**
 * The demo's MQTT broker in a wrapper process. The wrapper ends the broker when the demo ends or is killed.
 * Ctrl-C in a terminal reaches every process, but must not end the broker before the demo.
 */
import { spawn } from 'node:child_process';

const [command, configuration] = process.argv.slice(2);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
// In its own process group, so that Ctrl-C does not end the broker before its clients have disconnected.
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
