import type { DeviceRecord } from '../device/record';
import type { DeviceView } from './engine';
import { checkNames, deviceStates } from './finding';

export const metricsContentType = 'text/plain; version=0.0.4; charset=utf-8';

export interface MeasuredDevice extends DeviceView {
  readonly record: Pick<DeviceRecord, 'clockOffsetMs' | 'roundTripMs'> | undefined;
  readonly outcomes: Readonly<Record<string, number>> | undefined;
}

type Labels = Readonly<Record<string, string>>;

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter';
  samples(device: MeasuredDevice): readonly { readonly labels?: Labels; readonly value: number }[];
}

const metrics: readonly Metric[] = [
  {
    name: 'algo_device_up',
    help: 'Whether the device answers: 0 while it is offline or unknown.',
    type: 'gauge',
    samples: ({ condition }) => [{ value: condition === 'offline' || condition === 'unknown' ? 0 : 1 }],
  },
  {
    name: 'algo_device_state',
    help: 'The state of the device: 1 for its present state, 0 for all others.',
    type: 'gauge',
    samples: (device) =>
      deviceStates.map((state) => ({ labels: { state }, value: Number(device.state === state) })),
  },
  {
    name: 'algo_clock_offset_seconds',
    help: 'The clock of the device minus the clock of Node-RED.',
    type: 'gauge',
    samples: ({ record }) => inSeconds(record?.clockOffsetMs),
  },
  {
    name: 'algo_round_trip_seconds',
    help: 'The time from the last request to the head of its answer.',
    type: 'gauge',
    samples: ({ record }) => inSeconds(record?.roundTripMs),
  },
  {
    name: 'algo_finding',
    help: 'The number of findings of a check.',
    type: 'gauge',
    samples: ({ findings }) =>
      checkNames.map((check) => ({
        labels: { check },
        value: findings.filter((finding) => finding.check === check).length,
      })),
  },
  {
    name: 'algo_receipts_total',
    help: 'The number of receipts since Node-RED started.',
    type: 'counter',
    samples: ({ outcomes = {} }) =>
      Object.entries(outcomes).map(([outcome, value]) => ({ labels: { outcome }, value })),
  },
];

export function metricsOf(devices: readonly MeasuredDevice[]): string {
  const distinct = withoutTwins(devices);
  const lines = metrics.flatMap(({ name, help, type, samples }) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...distinct.flatMap((device) => {
      const { name: called, address } = device;
      return samples(device).map(
        ({ labels, value }) => `${name}${labelsOf({ device: called, address, ...labels })} ${value}`,
      );
    }),
  ]);
  return `${lines.join('\n')}\n`;
}

/**
 * Leaves out devices that share name and address with an earlier device: Prometheus refuses a text with two
 * equal samples.
 */
function withoutTwins(devices: readonly MeasuredDevice[]): readonly MeasuredDevice[] {
  const found = new Map<string, MeasuredDevice>();
  for (const device of devices) {
    const key = JSON.stringify([device.name, device.address]);
    if (!found.has(key)) found.set(key, device);
  }
  return [...found.values()];
}

function inSeconds(ms: number | undefined): readonly { readonly value: number }[] {
  return ms === undefined ? [] : [{ value: ms / 1000 }];
}

function labelsOf(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return `{${pairs.join(',')}}`;
}

function escaped(value: string): string {
  return value.replace(/[\\"\n]/g, (found) => (found === '\n' ? '\\n' : `\\${found}`));
}
