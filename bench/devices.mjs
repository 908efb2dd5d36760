/**
 * One process with many virtual devices. Told by its parent to begin, it closes and opens relay inputs, and it
 * tells when it did so and how many readings it has answered.
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { VirtualDevice } = require('../dist/src/virtual-device/device.js');

const [, , count, toggleMs] = process.argv.map(Number);
const devices = Array.from(
  { length: count },
  (_, index) => new VirtualDevice({ name: `${process.pid}-${index}` }),
);
let answered = 0;
for (const device of devices) device.on('request', ({ status }) => (answered += status === 200 ? 1 : 0));
const addresses = await Promise.all(devices.map((device) => device.start()));
process.send({ addresses });

function toggle(device) {
  const state = device.state.inputs.relay === 'idle' ? 'active' : 'idle';
  device.setInput('relay', state);
  process.send({ edge: device.address, state, at: Date.now() });
}

/** Each device at its own moment, so that edges fall anywhere between two readings. */
function begin() {
  for (const device of devices) {
    setTimeout(() => {
      toggle(device);
      setInterval(() => toggle(device), toggleMs);
    }, Math.random() * toggleMs);
  }
}

process.on('message', ({ ask }) => {
  if (ask === 'edges') begin();
  if (ask === 'answered') process.send({ answered });
});
process.on('disconnect', () => process.exit());
