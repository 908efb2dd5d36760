/**
 * 100,000 random requests against a virtual device: `node --expose-gc dist/bench/virtual-device-fuzz.js
 * [requests] [seed]`. Says what got through, which bugs showed, and how the heap grew.
 */
import { VirtualDevice } from '../src/virtual-device/device';
import { fuzz } from '../test/virtual-device/fuzz';

const [requests = 100_000, seed = 1] = process.argv.slice(2).map(Number);
const WARM_UP = 10_000;

/** Bytes of the heap after a forced collection. */
async function heap(): Promise<number> {
  if (!global.gc) throw new Error('run it with node --expose-gc');
  for (let i = 0; i < 3; i += 1) {
    global.gc();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return process.memoryUsage().heapUsed;
}

async function run(auth: 'standard' | 'none', count: number): Promise<boolean> {
  const device = new VirtualDevice({ model: '8410', auth, password: 'right', rebootMs: 0 });
  await device.start();
  const isLocked = auth === 'standard';
  const from = performance.now();
  const first = await fuzz(device, { seed, requests: WARM_UP, isLocked });
  const before = await heap();
  const rest = await fuzz(device, { seed: seed + 1, requests: count - WARM_UP, isLocked });
  const after = await heap();
  const seconds = Math.round((performance.now() - from) / 1000);
  const growth = Math.round((after / before - 1) * 1000) / 10;
  const through = [...first.letThrough, ...rest.letThrough];
  const bugs = [...first.bugs, ...rest.bugs];
  const answered = first.answered + rest.answered;
  console.log(
    `authentication ${auth}: ${first.sent + rest.sent} requests in ${seconds} s, ${answered} answered`,
  );
  console.log(
    `  let through: ${through.length}; bugs: ${bugs.length}; heap: ${growth} % more than after ${WARM_UP}`,
  );
  for (const line of [...through, ...bugs].slice(0, 5)) console.log(`  ${line}`);
  await device.stop();
  return through.length === 0 && bugs.length === 0 && growth <= 10;
}

async function main(): Promise<void> {
  const results = [await run('standard', requests), await run('none', requests)];
  process.exitCode = results.every(Boolean) ? 0 : 1;
}

void main();
