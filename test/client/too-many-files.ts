import { closeSync, openSync } from 'node:fs';
import { DeviceClient } from '../../src/client/client';
import { unlock } from '../fixtures/client-fixture';

/** A program: opens as many files as it may, calls a device, and closes them when that has not worked at once. */
async function run(address: string): Promise<void> {
  const settings = { name: 'Gate', address, auth: 'none', certificate: 'verify', timeoutMs: 5_000 } as const;
  const first = new DeviceClient(settings);
  // Loads what a first call needs, which cannot be loaded without a file.
  await first.call(unlock);
  await first.close();
  const files: number[] = [];
  try {
    for (;;) files.push(openSync('/dev/null', 'r'));
  } catch {
    console.log('short of files');
  }
  const second = new DeviceClient(settings);
  const call = second.call(unlock);
  setTimeout(() => files.forEach((file) => void closeSync(file)), 120);
  console.log((await call).statusCode);
  await second.close();
}

void run(process.argv[2] ?? '');
