import type { EventEmitter } from 'node:events';
import { once } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import type { Transcript } from './transcript';

/** What is looked at in a virtual device. */
export interface Visible {
  readonly settings: Readonly<Record<string, string>>;
  readonly files: ReadonlyMap<string, Buffer>;
  readonly schedules: Readonly<Record<string, unknown>>;
  snapshot(): {
    readonly firmware: string;
    readonly deadlines: object;
    readonly state: { readonly upload: unknown };
  };
}

/** The parts of a device by name. Those of its state have plain names, a setting's has dots, a file's slashes. */
export type View = Readonly<Record<string, unknown>>;

/** Options of a virtual device, so that each request has something to bring about. */
export const equipment = {
  newFirmware: '5.7',
  buttons: { lockdown: 'emergency', '7': 'call' },
  rebootMs: 60_000,
  reloadMs: 60_000,
} as const;

/** How long a device may take to show what it was told, in milliseconds. */
const patience = 2000;

/** All that a device shows and remembers, but for the time. */
export function look(device: Visible): View {
  const { firmware, state, deadlines } = device.snapshot();
  const { events = [], groups = [] } = device.schedules as Record<string, { name: string }[]>;
  return {
    ...state,
    firmware,
    uploaded: state.upload !== null,
    deadlines: Object.keys(deadlines),
    ...device.settings,
    ...Object.fromEntries(device.files),
    schedules: device.schedules,
    events: events.map(({ name }) => name),
    groups: groups.map(({ name }) => name),
  };
}

/** What a transcript says is to be seen; undefined where it says nothing. */
export function traceOf({ leaves, request }: Transcript): View | undefined {
  return typeof leaves === 'string' ? { [leaves]: request?.json } : leaves;
}

/** Whether the request of a transcript changes nothing, by what the transcript says. */
export function isRead({ request, reads }: Transcript): boolean {
  return reads === true || request?.line.startsWith('GET ') === true;
}

/** Of a view, what a trace speaks of. */
export function partsOf(view: View, trace: View): View {
  return Object.fromEntries(Object.keys(trace).map((name) => [name, view[name]]));
}

/** The parts that differ from one view to the next. */
export function changesOf(before: View, after: View): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
}

/** What a trace speaks of, as the device shows it once it has had the time to: some of it follows the answer. */
export async function shown(device: Visible & EventEmitter, trace: View): Promise<View> {
  const signal = AbortSignal.timeout(patience);
  for (;;) {
    const parts = partsOf(look(device), trace);
    if (isDeepStrictEqual(parts, trace) || signal.aborted) return parts;
    await once(device, 'change', { signal }).catch(() => undefined);
  }
}
