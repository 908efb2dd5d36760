#!/usr/bin/env node
import { join } from 'node:path';
import { type CommandLine, helpText, readArguments, UsageError } from './command-line/arguments';
import { VirtualDevice } from './device';
import { callLineOf } from './log/call-entry';
import { lineOf } from './log/entry';
import { PanelServer } from './panel/server';

// A program that reads the output can end before the device. The write error of the device is then harmless.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

main().catch((error: unknown) => {
  const hint = error instanceof UsageError ? ' (see --help)' : '';
  console.error(`algo-virtual-device: ${error instanceof Error ? error.message : error}${hint}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
});

async function main(): Promise<void> {
  const commandLine = readArguments(process.argv.slice(2));
  if (commandLine === 'help') {
    process.stdout.write(helpText);
    return;
  }
  let panelAt: string | undefined;
  const devices = Array.from({ length: commandLine.count }, (_, index) =>
    make(commandLine, index, () => panelAt && `${panelAt}${index + 1}/`),
  );
  const panels = new PanelServer(devices);
  const stopAll = () => Promise.all([panels.stop(), ...devices.map((device) => device.stop())]);
  onSignal(() => void stopAll().then(() => process.exit(0)));
  try {
    for (const device of devices) {
      await device.start();
      const note = describeOverridden(commandLine, device);
      await prepare(device, commandLine);
      announce(commandLine, device, note);
    }
    panelAt = await openPanels(commandLine, panels);
  } catch (error) {
    await stopAll();
    throw error;
  }
}

function onSignal(end: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  // A SIGTERM to npx ends npm and its shell, but not this process. Therefore this process ends when its
  // parent process has changed.
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && end(), 500).unref();
}

function make(commandLine: CommandLine, index: number, panel: () => string | undefined): VirtualDevice {
  const { count, device } = commandLine;
  const name = count > 1 ? `Virtual ${device.model} ${index + 1}` : `Virtual ${device.model}`;
  const port = device.port === 0 ? 0 : device.port + index;
  const { folder } = device;
  const own = folder !== undefined && count > 1 ? { folder: join(folder, String(index + 1)) } : {};
  const made = new VirtualDevice({ ...device, ...own, name, port, panel });
  made.on('trouble', (words) => remark(commandLine, made, words));
  return made;
}

/** With --json, standard output holds only one line per device, so the note goes to standard error. */
function remark({ json }: CommandLine, device: VirtualDevice, note: string): void {
  if (json) console.error(JSON.stringify({ device: device.address, note }));
  else console.log(note);
}

function describeOverridden(
  { given, device: { folder } }: CommandLine,
  device: VirtualDevice,
): string | undefined {
  const { method, password } = device.access;
  const inForce = { auth: method, password };
  const names = (['auth', 'password'] as const).filter(
    (name) => given[name] !== undefined && given[name] !== inForce[name],
  );
  if (names.length === 0) return undefined;
  return `the state in ${folder} overrides ${names.map((name) => `--${name}`).join(' and ')}`;
}

async function prepare(device: VirtualDevice, { orders }: CommandLine): Promise<void> {
  for (const [name, given, option] of orders) {
    await device.carryOut(name, given).catch((error: Error) => {
      throw new UsageError(`${option}: ${error.message}`);
    });
  }
}

/** With --json, the log goes to standard error, so that standard output holds only one line per device. */
function announce(commandLine: CommandLine, device: VirtualDevice, note: string | undefined): void {
  const { address, model, firmware } = device;
  const { json } = commandLine;
  if (json) console.log(JSON.stringify({ address, model, firmware }));
  else console.log(`virtual ${model} (firmware ${firmware}) listens on ${address}`);
  if (note) remark(commandLine, device, note);
  // A device that has stopped has no address.
  const where = () => device.address || address;
  if (json) {
    device.on('request', (entry) => console.error(JSON.stringify({ device: where(), ...entry })));
    device.on('call', (call) => console.error(JSON.stringify({ device: where(), call })));
  } else {
    device.on('call', (entry) => console.log(`${entry.at} ${where()} ${callLineOf(entry)}`));
    device.on('request', (entry) => {
      const line = lineOf(entry, `${entry.status} ${entry.outcome}`);
      console.log(`${entry.at} ${where()} ${line}`);
    });
  }
}

async function openPanels(
  { panelPort, json }: CommandLine,
  panels: PanelServer,
): Promise<string | undefined> {
  if (panelPort === undefined) return undefined;
  const address = await panels.start(panelPort).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`the panel cannot use port ${panelPort} on 127.0.0.1: ${error.code ?? error.message}`);
  });
  if (json) console.error(JSON.stringify({ panel: address }));
  else console.log(`open the panel at ${address}`);
  return address;
}
