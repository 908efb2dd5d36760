#!/usr/bin/env node
import { type CommandLine, HELP, readArguments, UsageError } from './arguments';
import { VirtualDevice } from './device';
import type { LogEntry } from './log';

function lineOf(device: VirtualDevice, entry: LogEntry): string {
  const what = entry.operation ? ` (${entry.operation})` : '';
  const parameters = entry.parameters === undefined ? '' : ` ${JSON.stringify(entry.parameters)}`;
  const reason = entry.reason === undefined ? '' : `: ${entry.reason}`;
  const request = `${entry.method} ${entry.path}${what}${parameters}`;
  return `${entry.at} ${device.address} ${request} -> ${entry.status} ${entry.outcome}${reason}`;
}

/** In JSON the log goes to standard error, so that standard output holds addresses only. */
function announce({ json }: CommandLine, device: VirtualDevice): void {
  const { address, model, firmware } = device;
  if (json) {
    console.log(JSON.stringify({ address, model, firmware }));
    device.on('request', (entry) => console.error(JSON.stringify({ device: device.address, ...entry })));
  } else {
    console.log(`virtual ${model} (firmware ${firmware}) listens on ${address}`);
    device.on('request', (entry) => console.log(lineOf(device, entry)));
  }
}

function make({ count, device }: CommandLine, index: number): VirtualDevice {
  const name = count > 1 ? `Virtual ${device.model} ${index + 1}` : `Virtual ${device.model}`;
  return new VirtualDevice({ ...device, name, port: device.port === 0 ? 0 : device.port + index });
}

async function main(): Promise<void> {
  const commandLine = readArguments(process.argv.slice(2));
  if (commandLine === 'help') {
    process.stdout.write(HELP);
    return;
  }
  const devices = Array.from({ length: commandLine.count }, (_, index) => make(commandLine, index));
  const stopAll = () => Promise.all(devices.map((device) => device.stop()));
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stopAll().then(() => process.exit(0)));
  for (const device of devices) {
    try {
      await device.start();
    } catch (error) {
      await stopAll();
      throw error;
    }
    announce(commandLine, device);
  }
}

// Whoever reads the output may leave before the device does.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

main().catch((error: unknown) => {
  const hint = error instanceof UsageError ? ' (see --help)' : '';
  console.error(`algo-virtual-device: ${error instanceof Error ? error.message : error}${hint}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
