import type { DeviceClock } from '../clock/device-clock';
import type { Core } from '../core';
import type { Fault } from '../faults/fault';
import type { FaultInjector } from '../faults/injector';
import { strobePatterns } from '../product/strobe-patterns';
import { routes } from '../routes';
import { dateOf, dayAt } from '../schedule/days';
import type { Deadline, DeviceState } from '../state/state';
import { type AudibleSound, audibleSound, type ShownPicture, shownPictures } from './shown';

/** The data of a panel at one moment, without secrets. */
export interface Snapshot {
  readonly name: string;
  readonly model: string;
  readonly product: string;
  readonly firmware: string;
  readonly auth: string;
  /** URL of the device; empty while the device does not listen. */
  readonly address: string;
  /** Device time in epoch milliseconds. */
  readonly now: number;
  readonly speed: number;
  /** Offset of the clock, in seconds. */
  readonly shift: number;
  readonly state: DeviceState;
  readonly deadlines: Readonly<Record<string, Deadline>>;
  /** The operations that model and firmware support, such as `POST /api/controls/door/lock`. */
  readonly operations: readonly string[];
  readonly patterns: Readonly<Record<string, string>>;
  /** Identifiers of the configured buttons; empty if every identifier is a button. */
  readonly buttons: readonly string[];
  readonly today: readonly Readonly<Record<string, unknown>>[];
  readonly next: { readonly name: string; readonly at: number } | null;
  readonly pictures: Readonly<Record<string, ShownPicture>>;
  readonly sound: AudibleSound | null;
  readonly faults: readonly Fault[];
  readonly isApiOn: boolean;
  readonly isFull: boolean;
}

export function takeSnapshot(
  core: Core,
  clock: DeviceClock,
  injector: FaultInjector,
  address: string,
): Snapshot {
  const { keeper, model, scheduler, files } = core;
  const now = clock.now();
  const { next } = scheduler;
  const day = dayAt(now);
  const { events } = scheduler.range(day, 1) as { events: Record<string, Record<string, unknown>[]> };
  return {
    name: core.name,
    model: model.number,
    product: model.productName,
    firmware: core.firmware,
    auth: core.lock.method,
    address,
    now,
    speed: clock.speed,
    shift: clock.shift / 1000,
    state: keeper.state,
    deadlines: keeper.deadlines,
    operations: routes
      .filter((route) => route.missing(core) === undefined)
      .map(({ method, segments }) => `${method} ${segments.join('/')}`),
    patterns: strobePatterns[model.number] ?? {},
    buttons: Object.keys(core.buttons ?? {}),
    today: events[dateOf(day)] ?? [],
    next: next ? { name: next.place.event.fields.name ?? '', at: next.at } : null,
    pictures: shownPictures(core),
    sound: audibleSound(core),
    faults: injector.faults,
    isApiOn: core.interfaceEnabled,
    isFull: files.isFull,
  };
}
