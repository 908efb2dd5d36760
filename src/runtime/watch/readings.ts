import type { Clock } from '../../kernel/time/clock';
import type { Device } from '../device/device';
import type { DeviceObserver } from '../device/surroundings';
import { Reader, type ReaderDevice, type Watcher } from './reader';
import type { Source } from './reading';

const ofDevices = new WeakMap<Device, Readings>();

/** All nodes that watch a device share its readings. */
export function readingsOf(device: Device): Readings {
  const known = ofDevices.get(device);
  if (known) return known;
  const readings = new Readings(device, device.timing);
  ofDevices.set(device, readings);
  device.observer = readings;
  if (device.isClosed) readings.close();
  return readings;
}

export class Readings implements DeviceObserver {
  /**
   * A short list, extended with `concat`, since `push` reserves memory and there can be thousands of devices.
   */
  #readers: readonly Reader[] = [];
  #closed = false;

  constructor(
    private readonly device: ReaderDevice,
    private readonly timing: Clock,
  ) {}

  join(source: Source, watcher: Watcher): Reader {
    const known = this.#readerOf(source);
    const reader = known ?? new Reader(this.device, source, this.timing);
    if (this.#closed) return reader;
    if (!known) this.#readers = this.#readers.concat(reader);
    reader.add(watcher);
    return reader;
  }

  leave(source: Source, watcher: Watcher): void {
    const reader = this.#readerOf(source);
    reader?.remove(watcher);
    if (reader?.isIdle) this.#readers = this.#readers.filter((one) => one !== reader);
  }

  /** Reads again soon, since a command might have changed the state of the device. */
  recordAction(): void {
    for (const reader of this.#readers) reader.readSoon();
  }

  #readerOf({ operation }: Source): Reader | undefined {
    return this.#readers.find((reader) => reader.route === operation.route);
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  monotonic(): number {
    return this.timing.monotonic();
  }

  close(): void {
    this.#closed = true;
    for (const reader of this.#readers) reader.close();
    this.#readers = [];
  }
}
