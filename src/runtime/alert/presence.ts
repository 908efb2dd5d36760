import type { Clock } from '../../kernel/time/clock';
import { DeadlineTimer } from '../../kernel/time/deadline-timer';
import type { Contact } from '../device/device';
import type { DeviceLocation } from './outputs';

/** Time after the last contact with a device until the device is asked, in milliseconds. */
const intervalMs = 30_000;
/**
 * Time after a restart by Node-RED from which an answer counts as that of the restarted device, even if no
 * request has failed since, in milliseconds.
 */
const restartMs = 20_000;
/** Time between two turns in which devices are asked, in milliseconds. */
const turnMs = 300;
const turns = intervalMs / turnMs;

/** A device under one of its names, at a known location. */
export type WatchedDevice = DeviceLocation & { readonly where: string };

/**
 * Finds out which devices of active alerts were away: they did not answer for some time, or Node-RED has
 * restarted them. Asks each device 30 s after the last contact. An alert then sends its actions again
 * (docs/contract.md 2.6, *Devices that come back*).
 */
export class Presence {
  /** For each location, the time of the last contact or question, in milliseconds on the monotonic clock. */
  #lastAt = new Map<string, number>();
  readonly #away = new Set<string>();
  /** For each restarted device, the time of the restart on the monotonic clock. */
  readonly #restarts = new Map<string, number>();
  readonly #timer: DeadlineTimer;

  /**
   * @param watched returns the devices to watch; those without a location are not watched
   * @param ask sends a reading to a device; its result comes back through `contact`
   * @param returned called when a device that was away answers
   */
  constructor(
    private readonly clock: Pick<Clock, 'monotonic' | 'after'>,
    private readonly watched: () => Iterable<DeviceLocation>,
    private readonly ask: (device: WatchedDevice) => void,
    private readonly returned: (where: string) => void,
  ) {
    this.#timer = new DeadlineTimer(() => this.#onTimer(), clock);
  }

  /** Called when other devices might be watched. */
  handleChange(): void {
    this.#timer.set(this.clock.monotonic() + turnMs);
  }

  /** Called after each request to a device, by any node. A device that has accepted a restart counts as away. */
  contact(where: string, contact: Contact): void {
    const now = this.clock.monotonic();
    if (contact === 'restarting') {
      this.#restarts.set(where, now);
      this.#away.add(where);
      return;
    }
    this.#lastAt.set(where, now);
    const isAnswered = contact === 'answered';
    const restartedAt = this.#restarts.get(where) ?? Number.NEGATIVE_INFINITY;
    // The device still answers for some time before it goes down.
    if (isAnswered && now - restartedAt < restartMs) return;
    this.#restarts.delete(where);
    if (!isAnswered) this.#away.add(where);
    else if (this.#away.delete(where)) this.returned(where);
  }

  stop(): void {
    this.#timer.clear();
  }

  #onTimer(): void {
    const now = this.clock.monotonic();
    // A device can have several names; one of them is asked.
    const ids = new Map<string, string>();
    for (const { id, where } of this.watched()) if (where !== undefined) ids.set(where, id);
    const watched = [...ids].map(([where, id]) => ({ id, where, at: this.#lastAt.get(where) ?? now }));
    this.#lastAt = new Map(watched.map(({ where, at }) => [where, at]));
    const due = watched.filter(({ at }) => now - at >= intervalMs).sort((a, b) => a.at - b.at);
    for (const { id, where } of due.slice(0, Math.ceil(watched.length / turns))) {
      this.#lastAt.set(where, now);
      this.ask({ id, where });
    }
    if (watched.length === 0) return;
    const next = [...this.#lastAt.values()].reduce((one, other) => Math.min(one, other)) + intervalMs;
    this.#timer.set(Math.max(next, now + turnMs));
  }
}
