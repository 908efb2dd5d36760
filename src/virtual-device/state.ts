import type { Clock, Timer } from './clock';

export type DoorId = 'local' | 'netdc1';
export type DoorState = 'locked' | 'unlocked';

/** A tone while it sounds; the fields are those of the request. */
export interface PlayingTone {
  readonly path: string;
  readonly loop: boolean;
  readonly duration?: number;
  readonly interval?: number;
  readonly mcast?: boolean;
  readonly playback?: string;
  readonly state?: Readonly<Record<string, unknown>>;
}

/** What the device is doing, for people and tests to read. */
export interface DeviceState {
  readonly doors: Readonly<Record<DoorId, DoorState>>;
  readonly tone: PlayingTone | null;
  readonly test: 'stopped' | 'playing' | 'looping';
}

export const STATE_AT_START: DeviceState = {
  doors: { local: 'locked', netdc1: 'locked' },
  tone: null,
  test: 'stopped',
};

/** Holds the state and the timers that change it by themselves. */
export class StateKeeper {
  #state: DeviceState = STATE_AT_START;
  readonly #timers = new Map<string, Timer>();
  readonly #clock: Clock;
  readonly #changed: (part: keyof DeviceState) => void;

  constructor(clock: Clock, changed: (part: keyof DeviceState) => void) {
    this.#clock = clock;
    this.#changed = changed;
  }

  get state(): DeviceState {
    return this.#state;
  }

  set<K extends keyof DeviceState>(part: K, value: DeviceState[K]): void {
    this.#state = { ...this.#state, [part]: value };
    this.#changed(part);
  }

  /** Runs `task` in `seconds`, in place of what was planned under this name. */
  plan(name: string, seconds: number, task: () => void): void {
    this.cancel(name);
    const timer = this.#clock.setTimeout(() => {
      this.#timers.delete(name);
      task();
    }, seconds * 1000);
    this.#timers.set(name, timer);
  }

  cancel(name: string): void {
    const timer = this.#timers.get(name);
    if (timer) this.#clock.clearTimeout(timer);
    this.#timers.delete(name);
  }

  cancelAll(): void {
    for (const name of [...this.#timers.keys()]) this.cancel(name);
  }
}
