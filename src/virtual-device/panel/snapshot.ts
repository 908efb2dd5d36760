import type { DeviceClock } from '../clock/device-clock';
import type { Core } from '../core';
import type { Fault } from '../faults/fault';
import type { FaultInjector } from '../faults/injector';
import { strobePatterns } from '../product/strobe-patterns';
import { routes } from '../routes';
import { dateOf, dayAt } from '../schedule/days';
import type { Deadline, DeviceState } from '../state/state';
import { type HeardSound, heardSound, type ShownPicture, shownPictures } from './shown';

/** A device at a moment, for a panel to draw. Holds no secret. */
export interface Snapshot {
  readonly name: string;
  readonly model: string;
  readonly product: string;
  readonly firmware: string;
  /** How requests have to authenticate. */
  readonly auth: string;
  /** Empty while it does not listen. */
  readonly address: string;
  /** The device's time, milliseconds since the epoch. */
  readonly now: number;
  readonly speed: number;
  /** Seconds that its clock is ahead of right time. */
  readonly shift: number;
  readonly state: DeviceState;
  readonly deadlines: Readonly<Record<string, Deadline>>;
  /** The operations that this model and firmware have, such as `POST /api/controls/door/lock`. */
  readonly operations: readonly string[];
  /** What the numbers of its strobe mean. */
  readonly patterns: Readonly<Record<string, string>>;
  /** Identifiers of configured buttons; none when every identifier is a button. */
  readonly buttons: readonly string[];
  readonly today: readonly Readonly<Record<string, unknown>>[];
  readonly next: { readonly name: string; readonly at: number } | null;
  /** Files that the screen names, by those names. */
  readonly pictures: Readonly<Record<string, ShownPicture>>;
  readonly sound: HeardSound | null;
  readonly faults: readonly Fault[];
  readonly isApiOn: boolean;
  readonly isFull: boolean;
}

/** What a device is at this moment; `address` is empty while it does not listen. */
export function takeSnapshot(
  core: Core,
  clock: DeviceClock,
  injector: FaultInjector,
  address: string,
): Snapshot {
  const { keeper, model, scheduler, files } = core;
  const now = clock.now();
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
    next: scheduler.next ?? null,
    pictures: shownPictures(core),
    sound: heardSound(core),
    faults: injector.faults,
    isApiOn: core.interfaceEnabled,
    isFull: files.isFull,
  };
}
