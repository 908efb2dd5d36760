import type { Clock } from '../../time/clock';
import type { Device } from '../device/device';
import type { DeviceObserver } from '../device/surroundings';
import { Reader } from './reader';
import type { Source } from './reading';
import type { ReaderDevice, Watcher } from './watcher';

const ofDevices = new WeakMap<Device, Readings>();

/** The readings of a device, which all nodes that watch it share. */
export function readingsOf(device: Device): Readings {
  const known = ofDevices.get(device);
  if (known) return known;
  const readings = new Readings(device, device.timing);
  ofDevices.set(device, readings);
  device.observer = readings;
  if (device.isClosed) readings.close();
  return readings;
}

/** What one device is read for: one reader per operation, however many nodes watch it. */
export class Readings implements DeviceObserver {
  /** Few, and `concat` leaves no room for more, unlike `push`: there are many devices. */
  #readers: readonly Reader[] = [];
  #closed = false;

  constructor(
    private readonly device: ReaderDevice,
    private readonly timing: Clock,
  ) {}

  /** Begins to read for a watcher, or lets it share what is read already. */
  join(source: Source, watcher: Watcher): Reader {
    const known = this.#readerOf(source);
    const reader = known ?? new Reader(this.device, source, this.timing);
    if (this.#closed) return reader;
    if (!known) this.#readers = this.#readers.concat(reader);
    reader.add(watcher);
    return reader;
  }

  /** Stops reading for a watcher; the last one leaves nothing behind. */
  leave(source: Source, watcher: Watcher): void {
    const reader = this.#readerOf(source);
    reader?.remove(watcher);
    if (reader?.isIdle) this.#readers = this.#readers.filter((one) => one !== reader);
  }

  /** The device was told to do something: what it shows may have changed. */
  noteAction(): void {
    for (const reader of this.#readers) reader.readSoon();
  }

  #readerOf({ operation }: Source): Reader | undefined {
    return this.#readers.find((reader) => reader.route === operation.route);
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Milliseconds of a clock that never jumps. */
  monotonic(): number {
    return this.timing.monotonic();
  }

  close(): void {
    this.#closed = true;
    for (const reader of this.#readers) reader.close();
    this.#readers = [];
  }
}
